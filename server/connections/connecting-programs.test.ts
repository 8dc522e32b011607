import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { connections } from '#contract/connections/connections.ts'
import { connectionScopes, scopeLabels } from '#contract/connections/scopes.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { startListeningApp } from '#tests/listening-app.ts'
import type { Actor } from '#tests/test-app.ts'

const repositoryRoot = join(import.meta.dirname, '../..')
const guide = readFileSync(join(repositoryRoot, 'docs/connecting-programs.md'), 'utf8')
const exampleAddress = 'https://keeper.example.org'
const readingTools = ['search', 'fetch', 'read_story', 'list_moments', 'on_this_day']

const getSection = (heading: string) => guide.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''
const getBlocks = (heading: string, language: string) =>
  [...getSection(heading).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  )
const getBlock = (heading: string, language: string) => getBlocks(heading, language)[0] ?? ''

interface HttpServer {
  url: string
  type?: string
  headers?: Record<string, string>
}

describe('docs/connecting-programs.md', () => {
  let server: Awaited<ReturnType<typeof startListeningApp>>
  let ada: Actor
  let token = ''
  let address = ''
  beforeAll(async () => {
    server = await startListeningApp('sqlite')
    address = `http://127.0.0.1:${server.port}`
    ada = await server.app.as('ada')
    await createTestKeeper(ada)
    token = (await ada.call(connections.createToken, { body: { name: 'Guide', scopes: [...connectionScopes] } })).data
      .token
  })
  afterAll(() => server.close())

  const fillIn = (text: string) =>
    text
      .replaceAll(exampleAddress, address)
      .replaceAll(/\$\{(?:input:keeper-token|KEEPER_TOKEN)\}|\$KEEPER_TOKEN|keeper_pat_…/g, token)

  async function listTools({ url, headers }: HttpServer): Promise<string[]> {
    const client = new Client({ name: 'client', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headers ?? {} } })
    await client.connect(transport as never)
    const { tools } = await client.listTools()
    await client.close()
    return tools.map(({ name }) => name)
  }

  /** Runs the command in a shell with a program of that name that prints its arguments. */
  async function readArguments(command: string): Promise<string[]> {
    const [program = ''] = command.split(' ')
    const script = `${program}() { printf '%s\\n' "$@"; }\n${command}`
    const env = { ...process.env, KEEPER_TOKEN: token }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
    return stdout.trim().split('\n')
  }

  it('tells Claude Code the address and the header', async () => {
    const [signIn = [], withToken = []] = await Promise.all(
      getBlocks('Claude Code', 'sh').map((command) => readArguments(fillIn(command))),
    )
    expect(signIn).toEqual(['mcp', 'add', '--transport', 'http', 'keeper', `${address}/mcp`])
    const [name = '', value = ''] = (withToken.at(-1) ?? '').split(': ')
    expect(withToken.at(-2)).toBe('--header')
    expect(await listTools({ url: withToken[5] ?? '', headers: { [name]: value } })).toEqual(
      expect.arrayContaining(readingTools),
    )
  })

  it('has a configuration for VS Code with which the tools are listed', async () => {
    const { servers, inputs } = JSON.parse(getBlock('VS Code', 'json')) as {
      servers: Record<string, HttpServer>
      inputs: { id: string; password: boolean }[]
    }
    expect(inputs).toMatchObject([{ id: 'keeper-token', password: true }])
    expect(servers.keeper?.type).toBe('http')
    const filled = JSON.parse(fillIn(JSON.stringify(servers.keeper))) as HttpServer
    expect(await listTools(filled)).toEqual(expect.arrayContaining(readingTools))
  })

  it('has a configuration for Cursor without headers, and where it signs in', async () => {
    const { mcpServers } = JSON.parse(fillIn(getBlock('Cursor', 'json'))) as { mcpServers: Record<string, HttpServer> }
    const { url = '', ...others } = mcpServers.keeper ?? {}
    expect(others).toEqual({})
    const refused = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata="')
    const { origin } = new URL(url)
    const metadata = (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()) as object
    expect(metadata).toMatchObject({ authorization_endpoint: expect.stringMatching(/\/oauth\/authorize$/) })
  })

  it('tells Codex the address and the variable', async () => {
    const command = await readArguments(fillIn(getBlock('Codex', 'sh')))
    expect(command.slice(0, 4)).toEqual(['mcp', 'add', 'keeper', '--url'])
    expect(command.slice(5)).toEqual(['--bearer-token-env-var', 'KEEPER_TOKEN'])
    expect(await listTools({ url: command[4] ?? '', headers: { authorization: `Bearer ${token}` } })).toEqual(
      expect.arrayContaining(readingTools),
    )
  })

  it('has a configuration for LibreChat that lists models and tools', async () => {
    const { endpoints, mcpServers } = parse(fillIn(getBlock('LibreChat', 'yaml'))) as {
      endpoints: { custom: { baseURL: string; apiKey: string; models: { default: string[] } }[] }
      mcpServers: Record<string, HttpServer>
    }
    const [endpoint] = endpoints.custom
    const client = new OpenAI({ apiKey: endpoint?.apiKey ?? '', baseURL: endpoint?.baseURL ?? '' })
    const models = (await client.models.list()).data.map(({ id }) => id)
    expect(models).toEqual(expect.arrayContaining(endpoint?.models.default ?? ['none']))
    expect(mcpServers.keeper?.type).toBe('streamable-http')
    expect(await listTools(mcpServers.keeper!)).toEqual(expect.arrayContaining(readingTools))
  })

  it('names an address for Open WebUI that lists models and tools', async () => {
    const urls = [...getSection('Open WebUI').matchAll(/`(https:[^`]+)`/g)].map(([, url = '']) => fillIn(url))
    expect(urls).toEqual([`${address}/v1`, `${address}/mcp`])
    const response = await fetch(`${urls[0]}/models`, { headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(200)
  })

  it('has a configuration of the bridge with which the tools are listed', async () => {
    const { mcpServers } = JSON.parse(fillIn(getBlock('Programs that start a program', 'json'))) as {
      mcpServers: Record<string, { command: string; args: string[]; env: Record<string, string> }>
    }
    const { command = '', args = [], env = {} } = mcpServers.keeper ?? {}
    expect([command, ...args]).toEqual(['node', '/opt/keeper/keeper.js', 'mcp'])
    // The same program, from its source.
    const [, ...options] = args
    const client = new Client({ name: 'client', version: '1' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(repositoryRoot, 'scripts/keeper.ts'), ...options],
        env: { ...(process.env as Record<string, string>), ...env },
        cwd: repositoryRoot,
      }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(readingTools))
    await client.close()
  }, 30_000)

  it('says through the bridge why a call was refused', async () => {
    const { data } = await ada.call(connections.createToken, { body: { name: 'Bridge', scopes: ['read:memory'] } })
    const sendThroughBridge = (message: string) => {
      const env = { ...process.env, KEEPER_URL: address, KEEPER_TOKEN: data.token }
      const bridge = promisify(execFile)(process.execPath, [join(repositoryRoot, 'scripts/mcp.ts')], { env })
      bridge.child.stdin?.end(`${message}\n`)
      return bridge.then(({ stdout }) => JSON.parse(stdout) as unknown)
    }
    const tooLong = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(300_000) } })
    expect(await sendThroughBridge(tooLong)).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      error: { message: expect.stringMatching(/^Keeper answered 413: /) },
    })
    await ada.call(connections.revoke, { params: { id: data.connection.id } })
    const revoked = await sendThroughBridge('{"jsonrpc":"2.0","id":2,"method":"ping"}')
    expect(revoked).toMatchObject({
      id: 2,
      error: { message: expect.stringMatching(/^Keeper answered 401: The person revoked/) },
    })
  }, 30_000)

  it.each([
    ['adds a moment', 0, { success: true, data: { body: 'The first warm evening by the river.' } }],
    ['asks an agent', 1, { object: 'chat.completion', model: 'kip' }],
    ['searches over MCP', 2, { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text' }] } }],
  ])(
    '%s with curl',
    async (_title, index, expected) => {
      const command = getBlocks('Scripts with curl', 'sh')[index] ?? ''
      const env = { ...process.env, KEEPER_TOKEN: token }
      const script = command.replaceAll(exampleAddress, address).replace(/^curl/, 'curl -sS')
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
      const text = stdout.startsWith('{') ? stdout : (/^data: ?(\{.*)$/m.exec(stdout)?.[1] ?? stdout)
      expect(JSON.parse(text)).toMatchObject(expected)
    },
    30_000,
  )

  it('names every scope with its label', () => {
    for (const scope of connectionScopes) expect(guide).toContain(`| ${scopeLabels[scope].label} (\`${scope}\`) |`)
  })
})
