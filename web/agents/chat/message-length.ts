/** By how much a message is too long; nothing is cut. */
export function lengthProblem(text: string, maxLength: number): string | undefined {
  const over = text.trim().length - maxLength
  if (over <= 0) return undefined
  const [many, most] = [over.toLocaleString('en-US'), maxLength.toLocaleString('en-US')]
  return `${many} ${over === 1 ? 'character' : 'characters'} too long. The maximum is ${most}.`
}
