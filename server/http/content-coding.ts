export type Coding = 'br' | 'gzip' | 'identity'

const preferredCodings = ['br', 'gzip'] as const

/** The smallest supported coding that `Accept-Encoding` allows (RFC 9110), or `identity`. */
export function chooseCoding(acceptEncoding: string | null): Coding {
  const weights = new Map<string, number>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    // An unreadable weight becomes NaN, which allows nothing.
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return preferredCodings.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0) ?? 'identity'
}
