export function getLengthProblem(text: string, maxLength: number): string | undefined {
  const excessLength = text.trim().length - maxLength
  if (excessLength <= 0) return undefined
  const [excess, maximum] = [excessLength.toLocaleString('en-US'), maxLength.toLocaleString('en-US')]
  return `${excess} ${excessLength === 1 ? 'character' : 'characters'} too long. The maximum is ${maximum}.`
}
