import { pluralize } from './pluralize.ts'

export function getLengthProblem(text: string, maxLength: number): string | undefined {
  const excessLength = text.trim().length - maxLength
  if (excessLength <= 0) return undefined
  return `${pluralize(excessLength, 'character')} too long. The maximum is ${maxLength.toLocaleString('en-US')}.`
}
