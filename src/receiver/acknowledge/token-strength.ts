/** The least strength of a token, in bits. Nobody can guess 96 random bits over the network. */
const minTokenBits = 96;

/** Whether a token may be random. A token that somebody typed, or that repeats a short string, is too weak. */
export function isStrongToken(token: string): boolean {
  return tokenBits(token) >= minTokenBits;
}

/**
 * Estimates how many random bits a token has at most. It is the entropy of the token's characters, or that of the
 * differences between neighbours if it is less (`abcdef...`), times the length; of a string that the token repeats
 * (`0f0f...`), only the first one counts. 32 random hex digits have about 115 such bits, 64 have about 245.
 */
function tokenBits(token: string): number {
  const codes = Array.from(token, (character) => character.codePointAt(0) ?? 0);
  const differences = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return Math.min(entropy(codes), entropy(differences)) * lengthWithoutRepetition(token);
}

/** The Shannon entropy of one of the values, in bits. */
function entropy(values: readonly number[]): number {
  const groups = [...Map.groupBy(values, (value) => value).values()];
  const shares = groups.map((group) => group.length / values.length);
  return shares.reduce((sum, share) => sum - share * Math.log2(share), 0);
}

function lengthWithoutRepetition(token: string): number {
  for (let length = 1; length <= token.length / 2; length++) {
    if (token.startsWith(token.slice(length))) return length;
  }
  return token.length;
}
