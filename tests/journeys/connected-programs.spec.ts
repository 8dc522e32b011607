import { createServer } from 'node:http'
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from '@playwright/test'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

/** A program on this computer that waits for the redirect from the consent page. */
async function startEditor() {
  let onRedirect: (parameters: URLSearchParams) => void = () => undefined
  const redirected = new Promise<URLSearchParams>((resolve) => {
    onRedirect = resolve
  })
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === '/callback') onRedirect(url.searchParams)
    response.setHeader('content-type', 'text/html').end('<title>Editor</title><h1>You can close this page</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { redirectUrl: `http://127.0.0.1:${port}/callback`, redirected, close: () => server.close() }
}

/** The OAuth side of the official MCP client, which registers itself and sends the browser to the consent page. */
function createProgram(keeper: BuiltKeeper, redirectUrl: string) {
  let client: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let verifier = ''
  let consentAddress: URL | undefined
  const authProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Harbor Editor',
      redirect_uris: [redirectUrl],
      scope: 'read:memory propose:memory',
    },
    clientInformation: () => client,
    saveClientInformation: (information: OAuthClientInformationMixed) => {
      client = information
    },
    tokens: () => tokens,
    saveTokens: (nextTokens: OAuthTokens) => {
      tokens = nextTokens
    },
    redirectToAuthorization: (url: URL) => {
      consentAddress = url
    },
    saveCodeVerifier: (nextVerifier: string) => {
      verifier = nextVerifier
    },
    codeVerifier: () => verifier,
  }
  const address = new URL('/mcp', keeper.url)
  return {
    createTransport: () => new StreamableHTTPClientTransport(address, { authProvider }),
    createEarlierTransport: () => new EarlierTransport(address, { authProvider }),
    getConsentAddress: () => consentAddress,
    getTokens: () => tokens,
  }
}

const createJournal = (keeper: BuiltKeeper, token: string) =>
  keeper.callApi<{ id: string }>(
    '/api/keeper/keepers',
    { title: 'The Harbour Year', purpose: 'p', keeperType: 'Journal', keeperTypeId: 'system-journal' },
    { token },
  )

async function createCard(keeper: BuiltKeeper, token: string, keeperId: string, content: string) {
  const reflection = await keeper.callApi<{ id: string }>(
    `/api/keeper/keepers/${keeperId}/reflections`,
    { content },
    { token },
  )
  await keeper.callApi(`/api/keeper/reflections/${reflection.id}/promote`, {}, { token })
}

const requestToolList = (keeper: BuiltKeeper, token: string | undefined) =>
  fetch(new URL('/mcp', keeper.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })

const getPrograms = (page: Page) => page.getByRole('region', { name: 'Connected programs' })

test('a program signs in, reads with permission, proposes, and loses its access', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await createJournal(keeper, token)
  await createCard(keeper, token, id, 'My sister Ines lives in Bergen.')

  const editor = await startEditor()
  const program = createProgram(keeper, editor.redirectUrl)
  const unauthorizedClient = new Client({ name: 'harbor-editor', version: '1' })
  const firstTransport = program.createTransport()
  await expect(unauthorizedClient.connect(firstTransport)).rejects.toThrow()
  await page.goto(program.getConsentAddress()?.href ?? '')
  await expect(page.getByText('Harbor Editor')).toBeVisible()
  await expect(page.getByText('any program could use this name')).toBeVisible()
  await expect(page.getByText('If you allow this, the program can read 1 memory card and 0 moments.')).toBeVisible()
  await expectNoViolations(page, 'the consent page')
  await page.getByLabel('Purpose').fill('Notes while I write')
  await page.reload()
  await expect(page.getByLabel('Purpose')).toHaveValue('Notes while I write')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'You can close this page' })).toBeVisible()
  const redirectParameters = await editor.redirected
  editor.close()
  await firstTransport.finishAuth(redirectParameters)

  const client = new Client({ name: 'harbor-editor', version: '1' })
  await client.connect(program.createTransport())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('propose_memory')
  const result = await client.callTool({ name: 'search', arguments: { query: 'Bergen' } })
  expect(JSON.stringify(result.structuredContent)).toContain('My sister Ines lives in Bergen.')
  await client.callTool({
    name: 'propose_memory',
    arguments: { content: 'Ada sails on Sundays.', quote: 'I sail every Sunday' },
  })

  await page.goto(`${keeper.url}/studio/agents`)
  await page.getByRole('link', { name: '1 waiting for you' }).click()
  await expect(page).toHaveURL(/\/root$/)
  const proposed = page.getByRole('region', { name: '1 proposal from your programs and agents' })
  await expect(proposed.getByText('Ada sails on Sundays.')).toBeVisible()
  await expect(proposed.getByText('I sail every Sunday')).toBeVisible()
  await expectNoViolations(page, 'the home page with a proposal')
  const getCards = () => keeper.callApi<unknown[]>(`/api/keeper/keepers/${id}/memory-cards`, undefined, { token })
  expect(await getCards()).toHaveLength(1)
  await proposed.getByRole('button', { name: 'Edit' }).click()
  await proposed.getByLabel('Your text').fill('I sail every Sunday.')
  await proposed.getByRole('button', { name: 'Approve' }).click()
  await expect(proposed).toBeHidden()
  expect(await getCards()).toMatchObject([{ content: 'I sail every Sunday.', state: 'active' }, {}])

  await page.goto(`${keeper.url}/root/api-keys`)
  await expect(getPrograms(page).getByText('Notes while I write')).toBeVisible()
  await getPrograms(page).getByRole('button', { name: 'What it knows: Harbor Editor' }).click()
  const reads = page.getByRole('dialog')
  await expect(reads.getByRole('link', { name: 'My sister Ines lives in Bergen.' })).toBeVisible()
  await expect(reads.getByText('search: Bergen')).toBeVisible()
  await page.keyboard.press('Escape')
  await getPrograms(page).getByRole('button', { name: 'Revoke the access of Harbor Editor' }).click()
  await expect(page.getByText('Keeper can’t delete what it has already read.')).toBeVisible()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  await expect(getPrograms(page).getByText('Revoked', { exact: true })).toBeVisible()
  expect((await requestToolList(keeper, program.getTokens()?.access_token)).status).toBe(401)
})

test('a client of the earlier protocol signs in, searches and loses its access', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await createJournal(keeper, token)
  await createCard(keeper, token, id, 'My sister Ines lives in Bergen.')
  const editor = await startEditor()
  const program = createProgram(keeper, editor.redirectUrl)
  const firstTransport = program.createEarlierTransport()
  await expect(new EarlierClient({ name: 'editor', version: '1' }).connect(firstTransport)).rejects.toThrow()
  await page.goto(program.getConsentAddress()?.href ?? '')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'You can close this page' })).toBeVisible()
  await firstTransport.finishAuth((await editor.redirected).get('code') ?? '')
  editor.close()
  const client = new EarlierClient({ name: 'editor', version: '1' })
  await client.connect(program.createEarlierTransport())
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('propose_memory')
  const result = await client.callTool({ name: 'search', arguments: { query: 'Bergen' } })
  expect(JSON.stringify(result.structuredContent)).toContain('My sister Ines lives in Bergen.')
  await client.callTool({ name: 'propose_memory', arguments: { content: 'Ada sails on Sundays.' } })
  await page.goto(`${keeper.url}/root/api-keys`)
  await getPrograms(page).getByRole('button', { name: 'Revoke the access of Harbor Editor' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  await expect(getPrograms(page).getByText('Revoked', { exact: true })).toBeVisible()
  expect((await requestToolList(keeper, program.getTokens()?.access_token)).status).toBe(401)
  await expect(client.listTools()).rejects.toThrow()
})

test('an access token is shown once and adds a moment', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await createJournal(keeper, token)
  await page.goto('/root/api-keys')
  await expect(getPrograms(page).getByText('No program is connected.')).toBeVisible()
  await getPrograms(page).getByRole('button', { name: 'Create access token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('My script')
  await dialog.getByLabel('Add entries').check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const visibleToken = getPrograms(page).getByText(/^keeper_pat_/)
  await expect(visibleToken).toBeVisible()
  const accessToken = /keeper_pat_[\w-]+/.exec((await visibleToken.textContent()) ?? '')?.[0] ?? ''
  await expectNoViolations(page, 'the page with a new token')
  await keeper.callApi(`/api/keeper/keepers/${id}/moments`, { body: 'From a script.' }, { token: accessToken })
  await page.reload()
  await expect(getPrograms(page).getByText('My script')).toBeVisible()
  await expect(page.getByText(/keeper_pat_/)).toBeHidden()
  await expect(getPrograms(page).getByText(/last used/)).toBeVisible()
})
