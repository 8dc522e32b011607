import { truncate } from '#contract/truncate.ts'

const mostCharacters = 80

/** 'Copy of Harbour', or 'Copy of Harbour 2' if taken (ignoring case), at most 80 characters. */
export function nameOfCopy(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` ${number}`
    const candidate = truncate(`Copy of ${name}`, mostCharacters - end.length) + end
    if (taken.every((other) => other.toLowerCase() !== candidate.toLowerCase())) return candidate
  }
}
