import * as z from 'zod/mini'
import { safeFetch } from '#server/http/egress.ts'
import { defineArguments, defineTextArgument } from './arguments.ts'
import type { Tool } from './tool.ts'
import { isTypedAddress } from './typed-address.ts'

const fetchArguments = z.object({
  url: defineTextArgument('The whole address, beginning with https:// or http://.', 2000),
})

export const httpFetchTool: Tool = {
  name: 'http_fetch',
  description: 'Reads the text of a web page, a JSON document or a text file at an address. Follows no redirects.',
  ...defineArguments(fetchArguments),
  writes: false,
  // An address can carry text out to any allowed host.
  sends: true,
  wasTyped: (typedText, args) => isTypedAddress((args as z.output<typeof fetchArguments>).url, typedText),
  source: 'keeper',
  title: (args) => `Read ${(args as z.output<typeof fetchArguments>).url.slice(0, 120)}`,
  async run({ services, signal }, args) {
    const { url } = args as z.output<typeof fetchArguments>
    const { text, type } = await safeFetch(url, { ...services.egress, hosts: services.settings.fetchHosts, signal })
    return { text: `From ${url} (${type}):\n${text}`, summary: `${text.length.toLocaleString('en-US')} characters` }
  },
}
