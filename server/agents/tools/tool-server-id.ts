import { createHash } from 'node:crypto'
import type { McpServer } from '#server/settings/settings.ts'

/** The address is hashed because it can hold a secret. */
export function getToolServerId({ name, url }: Pick<McpServer, 'name' | 'url'>): string {
  return createHash('sha256').update(`${name}\n${url}`).digest('hex').slice(0, 32)
}

export function getHost(url: string): string {
  return new URL(url).host
}
