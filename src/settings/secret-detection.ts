/** Words that indicate a secret even as a part of a longer word: `dbpassword`, `x-authtoken`. */
const anywhere =
  /pass(word|wd|phrase|code)|secret|token|api_?key|private_?key|credential|authorization|connection_?string|\bauth\b/i;

/** Words that indicate a secret only as a whole word: `db_pwd`, `userPass`. */
const wholeWords = new Set(
  "pass pwd pw passcode pin otp totp psk jwt jwe bearer cookie cookies creds cred oauth hmac salt pem pfx sas dsn".split(
    " ",
  ),
);

/** Pairs of words that indicate a secret: `signing_key`, `authKey`, `sessionId`. */
const wordPairs = new Set([
  ..."access account api app auth client consumer crypto decryption encryption hmac license licence master private secret"
    .split(" ")
    .map((owner) => `${owner} key`),
  ..."service shared signature signing ssh storage subscription symmetric tls webhook"
    .split(" ")
    .map((owner) => `${owner} key`),
  ...["session id", "session key", "connection str", "auth header", "auth code", "security code"],
]);

/** Patterns of values that are secrets under any key. */
const forms = [
  /-----BEGIN /, // PEM
  /^ey[\w-]{8,}\.[\w-]+\.[\w-]*/, // JWT
  /^(bearer|basic) \S/i,
  /^[a-z][a-z\d+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i, // a URL with a password
  /(^|[;?&\s])(password|pwd|accountkey|sharedaccesskey|sig|signature|\w*secret|\w*token|api_?key)=[^;&\s]/i,
  /^(gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|[prs]k_(live|test)_|AKIA[\dA-Z]{12})/, // keys of well-known services
];

/** Whether a key's name indicates a secret. In doubt it does, because a user can still declare a key that is left out. */
export function isSecretName(key: string): boolean {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const hasPair = words.some((word, index) => wordPairs.has(`${word} ${words[index + 1]}`) || isJoinedPair(word));
  return anywhere.test(key) || words.some((word) => wholeWords.has(word)) || hasPair;
}

/** Whether a string has the form of a secret. Random-looking strings do not count, because ids and hashes look random too. */
export function isSecretValue(value: string): boolean {
  return forms.some((form) => form.test(value.trim()));
}

/** Whether a word is such a pair without a separator: `authkey`, `accesskey`. */
function isJoinedPair(word: string): boolean {
  return word.endsWith("key") && wordPairs.has(`${word.slice(0, -3)} key`);
}
