import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { BadSetting } from '#server/settings/environment.ts'
import type { Variable } from '#server/settings/setting-reader.ts'

export interface TrustedCertificates {
  files: Variable[]
  folder: string | null
}

/** Node reads these only from its start environment, never from `.env`. @throws BadSetting naming the variable */
export function trustCertificates({ files, folder }: TrustedCertificates): void {
  if (files.length === 0 && !folder) return
  const trusted = new Set(getCACertificates('default'))
  const defaultCount = trusted.size
  for (const file of files) for (const certificate of readCertificates(file, trusted)) trusted.add(certificate)
  if (folder) {
    process.env.SSL_CERT_DIR = folder
    for (const certificate of getCACertificates('system')) trusted.add(certificate)
  }
  // Parsing all certificates of an operating system takes 30 ms.
  if (trusted.size > defaultCount) setDefaultCACertificates([...trusted])
}

function readCertificates(file: Variable, trusted: ReadonlySet<string>): string[] {
  const certificates = readText(file).match(/-----BEGIN [A-Z0-9 ]+-----[^-]*-----END [A-Z0-9 ]+-----\n?/g) ?? []
  try {
    if (certificates.length === 0) throw new Error('no certificate')
    for (const certificate of certificates) if (!trusted.has(certificate)) new X509Certificate(certificate)
    return certificates
  } catch {
    throw new BadSetting(`${file.name} must name a PEM file of certificates, not ${file.value}.`)
  }
}

function readText({ name, value: path }: Variable): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new BadSetting(`${name} names a file that can’t be read: ${(error as Error).message}.`)
  }
}
