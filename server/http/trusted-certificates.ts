import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { BadSetting, type Variable } from '#server/setting-reader.ts'

/** Authorities to trust beside those that come with Node. */
export interface TrustedCertificates {
  /** Paths of PEM files, with the variables that name them. */
  files: Variable[]
  folder: string | null
}

/**
 * Node itself reads `NODE_EXTRA_CA_CERTS` from the process environment only, never from `.env`, and the others not at all.
 *
 * @throws BadSetting naming the variable whose file cannot be used
 */
export function trustCertificates({ files, folder }: TrustedCertificates): void {
  const added = files.map(readCertificates)
  if (folder) {
    process.env.SSL_CERT_DIR = folder
    added.push(...getCACertificates('system'))
  }
  if (added.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...added])
}

function readCertificates({ name, value: path }: Variable): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new BadSetting(`${name} names a file that cannot be read: ${(error as Error).message}.`)
  }
  if (!text.includes('-----BEGIN '))
    throw new BadSetting(`${name} must name a file of certificates in PEM, not ${path}.`)
  return text
}
