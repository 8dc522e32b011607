export type Coding = 'br' | 'gzip' | 'identity'

const preferredCodings = ['br', 'gzip'] as const

export function chooseCoding(acceptEncoding: string | null): Coding {
  const weights = new Map<string, number>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return preferredCodings.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0) ?? 'identity'
}
