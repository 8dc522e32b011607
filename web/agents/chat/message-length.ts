/** How much too long a message is, said so that nothing needs to be cut for it. */
export function lengthProblem(text: string, maxLength: number): string | undefined {
  const over = text.trim().length - maxLength
  if (over <= 0) return undefined
  const [many, most] = [over.toLocaleString('en-US'), maxLength.toLocaleString('en-US')]
  return `${many} ${over === 1 ? 'character' : 'characters'} too long: at most ${most}.`
}
