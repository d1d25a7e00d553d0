/** What names a secret even in the middle of a word: `dbpassword`, `x-authtoken`. */
const inAnyWord =
  /pass(word|wd|phrase|code)|secret|token|api_?key|private_?key|credential|authorization|connection_?string|\bauth\b/i;

/** What names a secret as a word of its own: `db_pwd`, `userPass`. */
const words = new Set(
  "pass pwd pw passcode pin otp totp psk jwt jwe bearer cookie cookies creds cred oauth hmac salt pem pfx sas dsn".split(
    " ",
  ),
);

/** Whose key, or other part, is a secret: `signing_key`, `authKey`, `sessionId`. */
const pairs = new Set([
  ..."access account api app auth client consumer crypto decryption encryption hmac license licence master private secret"
    .split(" ")
    .map((owner) => `${owner} key`),
  ..."service shared signature signing ssh storage subscription symmetric tls webhook"
    .split(" ")
    .map((owner) => `${owner} key`),
  ...["session id", "session key", "connection str", "auth header", "auth code", "security code"],
]);

/** What is a secret by its form, whatever its key. */
const forms = [
  /-----BEGIN /, // PEM
  /^ey[\w-]{8,}\.[\w-]+\.[\w-]*/, // JWT
  /^(bearer|basic) \S/i,
  /^[a-z][a-z\d+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i, // a URL with a password
  /(^|[;?&\s])(password|pwd|accountkey|sharedaccesskey|sig|signature|\w*secret|\w*token|api_?key)=[^;&\s]/i,
  /^(gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|[prs]k_(live|test)_|AKIA[\dA-Z]{12})/, // well-known issuers
];

/** Whether a key names a secret. Rather too many than too few: what is left out can be declared by hand. */
export function isSecretName(key: string): boolean {
  const parts = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const hasPair = parts.some((part, index) => pairs.has(`${part} ${parts[index + 1]}`) || isJoinedPair(part));
  return inAnyWord.test(key) || parts.some((part) => words.has(part)) || hasPair;
}

/**
 * Whether a text is a secret by its form. Texts that merely look random are none: ids and hashes look so too, and would
 * all be left out.
 */
export function isSecretText(text: string): boolean {
  return forms.some((form) => form.test(text.trim()));
}

/** `authkey`, `accesskey`. */
function isJoinedPair(word: string): boolean {
  return word.endsWith("key") && pairs.has(`${word.slice(0, -3)} key`);
}
