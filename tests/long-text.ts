/** Unique text without repetitions, so compression can't shrink it. */
export function createIncompressibleText(length: number, seed = 1): string {
  let state = seed
  let text = ''
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647
    text += `${state.toString(36)} `
  }
  return text.slice(0, length).trim()
}
