/** An API key. Of the key itself only a digest is kept, so it can be shown once, when it is made. */
export interface ApiKeyRecord {
  readonly id: number;
  readonly name: string;
  /** SHA-256, as hexadecimal digits. */
  readonly digest: string;
  readonly created_date: string;
  /** null while it is valid. */
  readonly revoked_date: string | null;
}
