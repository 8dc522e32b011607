/** For sorting: compares by code units, which is independent of any language. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
