import { truncate } from '#contract/truncate.ts'

const maxNameLength = 80

/** 'Copy of Harbour', or 'Copy of Harbour 2' if taken (ignoring case), at most 80 characters. */
export function getCopyName(name: string, existingNames: readonly string[]): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`
    const candidate = truncate(`Copy of ${name}`, maxNameLength - suffix.length) + suffix
    if (existingNames.every((other) => other.toLowerCase() !== candidate.toLowerCase())) return candidate
  }
}
