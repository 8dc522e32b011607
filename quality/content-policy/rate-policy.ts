// Written by hand, independently of the implementation.
export const expectedPolicy: Record<string, string> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'frame-src': "'self' blob:",
  'media-src': "'self' blob:",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'keeper',
}

export function parseDirectives(policy: string): Record<string, string> {
  const directives: Record<string, string> = {}
  for (const part of policy.split(';')) {
    const [name = '', ...values] = part.trim().split(/\s+/)
    // Browsers use the first of two equal directives.
    if (name !== '') directives[name.toLowerCase()] ??= values.join(' ')
  }
  return directives
}

export function findDifferences(policy: string): string[] {
  const directives = parseDirectives(policy)
  const names = [...new Set([...Object.keys(expectedPolicy), ...Object.keys(directives)])]
  return names.flatMap((name) =>
    directives[name] === expectedPolicy[name]
      ? []
      : [`${name} is ${directives[name] ?? 'missing'} instead of ${expectedPolicy[name] ?? 'missing'}`],
  )
}

const publicCdnHosts = /googleapis|gstatic|cloudflare|jsdelivr|unpkg|yandex|akamai|cdnjs/i

export function findHighRisks(policy: string): string[] {
  const directives = parseDirectives(policy)
  const getSources = (name: string) => (directives[name] ?? directives['default-src'])?.split(' ').filter(Boolean)
  const risks: string[] = []
  for (const name of ['script-src', 'script-src-elem', 'script-src-attr', 'worker-src', 'object-src', 'style-src']) {
    const sources = getSources(name)
    if (!sources || sources.length === 0) {
      if (!name.startsWith('script-src-')) risks.push(`${name} is open`)
      continue
    }
    for (const source of sources) {
      if (/^'unsafe-(inline|eval|hashes)'$/.test(source)) risks.push(`${name} has ${source}`)
      if (/^'wasm-unsafe-eval'$/.test(source)) risks.push(`${name} has ${source}`)
      if (/^(\*|https?:|data:|blob:|filesystem:)$/.test(source)) risks.push(`${name} takes ${source}`)
      if (/\*/.test(source) && source !== '*') risks.push(`${name} takes any host of ${source}`)
      if (publicCdnHosts.test(source)) risks.push(`${name} takes ${source}, which serves anyone’s scripts`)
      if (/^\d+\.\d+\.\d+\.\d+/.test(source)) risks.push(`${name} takes an address, ${source}`)
    }
  }
  if (getSources('object-src')?.join(' ') !== "'none'") risks.push('object-src is not none')
  if (!["'none'", "'self'"].includes(directives['base-uri'] ?? '')) risks.push('base-uri is open')
  if (!directives['form-action']) risks.push('form-action is open')
  if (directives['frame-ancestors'] !== "'none'") risks.push('anyone can frame it')
  if (directives['require-trusted-types-for'] !== "'script'") risks.push('no Trusted Types')
  if (!directives['trusted-types'] || /\*|'allow-duplicates'/.test(directives['trusted-types']))
    risks.push('any policy of Trusted Types')
  for (const name of ['connect-src', 'img-src', 'font-src', 'media-src', 'frame-src'])
    if (getSources(name)?.some((source) => /^(\*|https?:)/.test(source)) ?? true) risks.push(`${name} leads anywhere`)
  return risks
}
