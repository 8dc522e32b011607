// JSON.stringify escapes lone surrogates only.
const escapePattern = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g
const toStorable = (escaped: string) => (escaped.length === 6 ? '\ufffd' : escaped)

/** Replaces NUL and lone surrogates, which can't be stored and can't be seen where they were typed or pasted. */
export const toStorableJson = (json: string): string =>
  json.includes('\\u') ? json.replace(escapePattern, toStorable) : json
