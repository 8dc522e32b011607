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
  for (const file of files) {
    const text = readText(file)
    try {
      if (!text.includes('CERTIFICATE-----')) throw new Error('no certificate')
      addCertificates([text])
    } catch {
      throw new BadSetting(`${file.name} must name a file of certificates in PEM, not ${file.value}.`)
    }
  }
  if (!folder) return
  process.env.SSL_CERT_DIR = folder
  addCertificates(getCACertificates('system'))
}

function addCertificates(certificates: string[]): void {
  setDefaultCACertificates([...getCACertificates('default'), ...certificates])
}

function readText({ name, value: path }: Variable): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new BadSetting(`${name} names a file that cannot be read: ${(error as Error).message}.`)
  }
}
