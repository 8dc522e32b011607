import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { BadSetting, type Variable } from '#server/settings/setting-reader.ts'

export interface TrustedCertificates {
  files: Variable[]
  folder: string | null
}

/** Node reads these only from its start environment, never from `.env`. @throws BadSetting naming the variable */
export function trustCertificates({ files, folder }: TrustedCertificates): void {
  for (const file of files) {
    const text = readText(file)
    try {
      if (!text.includes('CERTIFICATE-----')) throw new Error('no certificate')
      addCertificates([text])
    } catch {
      throw new BadSetting(`${file.name} must name a PEM file of certificates, not ${file.value}.`)
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
    throw new BadSetting(`${name} names a file that can’t be read: ${(error as Error).message}.`)
  }
}
