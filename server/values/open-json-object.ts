/** JSON without the closing brace, so that a streamed field can follow. */
export const toOpenJsonObject = (value: object): string => JSON.stringify(value, null, 2).slice(0, -'\n}'.length)
