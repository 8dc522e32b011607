import { type AuthorizationServerFake, startAuthorizationServerFake } from '../fakes/authorization-server.ts'
import { type McpFake, startMcpFake } from '../fakes/mcp-server.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { test as base, expect, registerAndSignIn } from './fixtures.ts'

const test = base.extend<{ authorization: AuthorizationServerFake; mcp: McpFake }>({
  authorization: async ({}, use) => {
    const authorization = await startAuthorizationServerFake()
    await use(authorization)
    await authorization.close()
  },
  mcp: async ({ authorization }, use) => {
    const mcp = await startMcpFake({ authorization, tools: [{ name: 'list_issues', description: 'Lists issues.' }] })
    await use(mcp)
    await mcp.close()
  },
})

test.use({ clocked: true, settings: { KEEPER_FETCH_HOSTS: '127.0.0.1' } })

test('Ada adds a tool server, signs in, gives its tool to an agent and removes it', async ({
  page,
  keeper,
  mcp,
  watch,
}) => {
  watch.expectLine(/status of 400/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/api-keys' })
  const section = page.getByRole('region', { name: 'Your tool servers' })
  await expect(section.getByText('You have no tool servers yet.')).toBeVisible()
  await section.getByRole('button', { name: 'Add tool server' }).click()
  await page.getByLabel('Name').fill('issue tracker')
  await page.getByLabel('Address').fill('ftp://example.com')
  await page.getByRole('button', { name: 'Add server' }).click()
  await expect(page.getByText('Use 1 to 30 letters, digits and hyphens.')).toBeVisible()
  await page.getByLabel('Name').fill('tracker')
  await page.getByLabel('Address').fill(mcp.url)
  await expectNoViolations(page, 'the form of a tool server')
  await page.getByRole('button', { name: 'Add server' }).click()
  await expect(section.getByText('tracker was added. Sign in to see its tools.')).toBeVisible()

  await section.getByRole('button', { name: 'Sign in to tracker' }).click()
  await expect(section.getByText('tracker is connected with 1 tool.')).toBeVisible()
  expect(page.url(), 'nothing of the sign-in stays in the URL').toBe(`${keeper.url}/root/api-keys`)
  await expect(section.getByText('1 tool', { exact: true })).toBeVisible()
  await expectNoViolations(page, 'personal tool servers')
  await page.goBack()
  await expect(page.getByText('The sign-in failed', { exact: false })).toHaveCount(0)

  await page.goto('/studio/agents')
  await page
    .getByRole('button', { name: /New Agent|Create Agent/i })
    .first()
    .click()
  await page.getByRole('button', { name: 'Reach', exact: true }).click()
  await page.getByRole('button', { name: 'Browse tools' }).click()
  await expect(page.getByRole('button', { name: 'Add tracker__list_issues' })).toBeVisible()
  await expect(page.getByText('From Keeper and 1 tool server')).toBeVisible()
  mcp.tools.push({ name: 'close_issue' }, { name: 'odd', listed: { name: 'odd', inputSchema: 7 } })
  await page.clock.install()
  await page.getByRole('button', { name: 'Refresh tools' }).click()
  await expect(page.getByRole('button', { name: 'Add tracker__close_issue' })).toBeVisible()
  await expect(page.getByText('The tool odd of tracker can’t be used.')).toBeVisible()

  await page.goto('/root/api-keys')
  await section.getByRole('button', { name: 'Remove tracker' }).click()
  await page.getByRole('button', { name: 'Remove server' }).click()
  await expect(section.getByText('tracker was removed.')).toBeVisible()
  await expect(section.getByText('You have no tool servers yet.')).toBeVisible()
})
