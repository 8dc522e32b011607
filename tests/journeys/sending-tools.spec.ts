import type { Page } from '@playwright/test'
import { type McpFake, startMcpFake } from '../fakes/mcp-server.ts'
import { parseConversation } from '../model-conversation.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { test as base, expect, getConversation, registerAndSignIn } from './fixtures.ts'

interface CreatedEntity {
  id: string
  slug: string
}

const test = base.extend<{ mcp: McpFake }>({
  mcp: async ({}, use) => {
    const call = ({ text }: Record<string, unknown>) => `Found for ${text}`
    const mcp = await startMcpFake({ tools: [{ name: 'look_up', annotations: { readOnlyHint: true }, call }] })
    await use(mcp)
    await mcp.close()
  },
  settings: async ({ mcp }, use) => use({ KEEPER_MCP_SERVERS: JSON.stringify({ wiki: { url: mcp.url } }) }),
})

const invisibleTagCharacter = '\u{E0041}'

test.use({
  providerBehavior: {
    answer: (_, request) => {
      const { results, tools } = parseConversation(request)
      if (results.length > 0) return { text: `The tool said: ${results.at(-1)}` }
      const name = tools.find((tool) => tool.startsWith('wiki__')) ?? 'wiki__look_up'
      return { calls: [{ name, arguments: { text: `buttermilk${invisibleTagCharacter}, Riga` } }] }
    },
  },
})

/** Creates a memory card and a public agent that receives it, and opens its chat. */
async function openCookChat(page: Page, keeper: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { isSuperAdmin: true })
  const createdKeeper = await keeper.callApi<CreatedEntity>(
    '/api/keeper/keepers',
    { title: 'Kitchen', purpose: 'Recipes', keeperTypeId: 'system-journal', memoryPattern: 'journal' },
    { token },
  )
  const reflection = { content: 'Buttermilk cake, as in Riga.', topic: 'Kitchen' }
  const { id } = await keeper.callApi<CreatedEntity>(
    `/api/keeper/keepers/${createdKeeper.id}/reflections`,
    reflection,
    {
      token,
    },
  )
  await keeper.callApi(`/api/keeper/reflections/${id}/promote`, {}, { token })
  const body = {
    name: 'Cook',
    purpose: 'Helps in the kitchen.',
    agent_class: 'Lead',
    visibility: 'public',
    memory_enabled: true,
    context_scope: 'keeper',
    tools: ['wiki__look_up'],
  }
  const agent = await keeper.callApi<CreatedEntity>('/api/kip/agents', body, { token })
  await keeper.callApi(`/api/keeper/agents/${agent.id}/keeper-types/system-journal`, {}, { token })
  const path = `/${agent.slug}`
  await page.goto(path)
  const sendMessage = async (text: string) => {
    await page.getByLabel('Write to Cook').fill(text)
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    await page.getByLabel('Write to Cook').press('Enter')
  }
  return { path, sendMessage, conversationList: getConversation(page, 'Cook') }
}

test('an external tool asks before it sends private data; visitors get no tools', async ({
  page,
  keeper,
  mcp,
  anotherPage,
}) => {
  const { path, sendMessage, conversationList } = await openCookChat(page, keeper)
  await sendMessage('Which buttermilk cake?')
  await expect(conversationList.getByText('Waiting for you')).toBeVisible()
  await expect(
    conversationList.getByText('The agent has read something from your keepers', { exact: false }),
  ).toContainText(`exactly this is sent to the tool look_up on the server wiki at ${new URL(mcp.url).host}:`)
  await expect(
    conversationList.getByText('buttermilk[U+E0041], Riga', { exact: true }),
    'all data to be sent',
  ).toBeVisible()
  await expectNoViolations(page, 'a tool that asks before sending')
  expect(mcp.calledTools(), 'nothing is sent before the decision').toEqual([])
  await conversationList.getByRole('button', { name: 'Don’t allow' }).click()
  await expect(conversationList.getByText('The person said no to this', { exact: false })).toBeVisible()
  expect(mcp.calledTools()).toEqual([])

  await sendMessage('And once more?')
  await conversationList.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(conversationList.getByText('Found for buttermilk', { exact: false })).toBeVisible()
  expect(mcp.calledTools()).toEqual(['look_up'])

  const visitorPage = await anotherPage()
  await visitorPage.goto(path)
  await visitorPage.getByLabel('Write to Cook').fill('What does Ada keep?')
  await visitorPage.getByLabel('Write to Cook').press('Enter')
  const refusal = getConversation(visitorPage, 'Cook').getByText('There is no tool with this name', { exact: false })
  await expect(refusal.last()).toBeVisible()
  expect(mcp.calledTools()).toEqual(['look_up'])
})

test("an external tool doesn't ask while its server is trusted @long", async ({ page, keeper, mcp }) => {
  const { path, sendMessage, conversationList } = await openCookChat(page, keeper)
  await page.goto('/studio/admin')
  const servers = page.getByRole('region', { name: 'Tool servers' })
  await expect(servers.getByRole('listitem')).toContainText('1 tool: 1 can send.')
  await servers.getByRole('button', { name: 'Trust wiki' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Trust wiki?' })
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click()
  await expect(servers.getByText('Trusted', { exact: true })).toBeVisible()
  await expect(servers.getByRole('listitem')).toContainText('Trusted by Ada')
  await expectNoViolations(page, 'the tool servers')

  await page.goto(path)
  await sendMessage('Which buttermilk cake?')
  await expect(conversationList.getByText('Found for buttermilk', { exact: false })).toBeVisible()
  await expect(conversationList.getByRole('button', { name: 'Allow', exact: true })).toHaveCount(0)
  expect(mcp.calledTools()).toEqual(['look_up'])

  await page.goto('/studio/admin')
  await servers.getByRole('button', { name: 'Stop trusting wiki' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop trusting', exact: true }).click()
  await expect(servers.getByRole('button', { name: 'Trust wiki' })).toBeVisible()
  await page.goto(path)
  await sendMessage('And now?')
  await expect(conversationList.getByText('Waiting for you')).toBeVisible()
  expect(mcp.calledTools()).toEqual(['look_up'])
})
