import type { Page, Route } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import { createKeeperOfAda } from './ada-keeper.ts'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'
import type { Watch } from './page-watch.ts'

const type = { name: 'Harbour Walks', purpose: 'Keeps walks.', memoryPattern: 'journal', reason: 'They have dates.' }

test.use({
  providerBehavior: {
    answer: (prompt, { body }) =>
      JSON.stringify(body).includes('submit_keeper_type') && prompt.includes('walk')
        ? { calls: [{ name: 'submit_keeper_type', arguments: type }] }
        : 'The quay.',
  },
})

/** The next write is executed, but its response doesn't arrive. */
async function withholdNextResponse(page: Page, address: string) {
  const arrivedRoute = Promise.withResolvers<Route>()
  let isWithheld = false
  await page.route(address, async (route) => {
    if (isWithheld || !['POST', 'PUT'].includes(route.request().method())) return route.fallback()
    isWithheld = true
    await route.fetch()
    arrivedRoute.resolve(route)
  })
  return {
    async dropResponse(watch: Watch) {
      watch.expectLine(/ERR_FAILED|Failed to fetch/)
      await (await arrivedRoute.promise).abort()
    },
    async reload() {
      await arrivedRoute.promise
      await page.reload()
    },
  }
}

test('a studio form saved again after a lost response creates one entity @long', async ({ page, keeper, watch }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const countByName = async (address: string, name: string) => {
    const all = await keeper.callApi<{ name?: string; label?: string }[]>(address, undefined, { token })
    return all.filter((entry) => (entry.name ?? entry.label)?.startsWith(name)).length
  }
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const builders = [
    { path: '/keeper/engagement-templates', api: '/api/keeper/engagement-templates', noun: 'content type' },
    { path: '/studio/memory-patterns?tab=create', api: '/api/memory-patterns', noun: 'pattern' },
    { path: '/studio/agent-classes?tab=create', api: '/api/agent-classes', noun: 'class' },
  ]
  for (const { path, api, noun } of builders) {
    const openForm = async () => {
      await page.goto(path)
      const first = page.getByRole('button', { name: `Create ${noun}` })
      if (noun === 'content type') await first.click()
    }
    await openForm()
    await name.fill('Tide')
    if (noun === 'content type') await page.getByLabel('Question').first().fill('How high was it?')
    if (noun === 'pattern') {
      await page.getByRole('button', { name: 'Add section' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill('High water')
    }
    const save = page.getByRole('button', { name: `Create ${noun}` })
    const pendingResponse = await withholdNextResponse(page, `**${api}`)
    await save.click()
    await pendingResponse.dropResponse(watch)
    await expect(page.getByText(`Failed to save the ${noun}. Your text is safe in this browser.`)).toBeVisible()
    await page.reload()
    await expect(name).toHaveValue('Tide')
    await save.click()
    await expect(name).toHaveCount(0)
    expect(await countByName(api, 'Tide'), `one ${noun}`).toBe(1)
    await openForm()
    await expect(name, 'nothing remains of it').toHaveValue('')
    await name.fill('Tide and wind')
    if (noun === 'content type') await page.getByLabel('Question').first().fill('How high was it?')
    await save.click()
    await expect(name).toHaveCount(0)
    expect(await countByName(api, 'Tide'), `another ${noun}`).toBe(2)
  }
})

test('a keeper type with a lost response is created once @long', async ({ page, keeper, watch }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/keeper/types' })
  const api = '/api/keeper/keeper-types'
  const countTypes = async (name: string) => {
    const all = await keeper.callApi<{ name: string }[]>(api, undefined, { token })
    return all.filter((entry) => entry.name === name).length
  }
  await page.getByRole('button', { name: 'New Keeper Type' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Walks')
  const pendingResponse = await withholdNextResponse(page, `**${api}`)
  await dialog.getByRole('button', { name: 'Create Type' }).click()
  await pendingResponse.dropResponse(watch)
  await expect(dialog.getByText('Failed to create keeper type')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'New Keeper Type' }).click()
  await expect(dialog.getByLabel('Name')).toHaveValue('Walks')
  await dialog.getByRole('button', { name: 'Create Type' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await countTypes('Walks')).toBe(1)

  await page.goto('/studio/kip')
  await page.getByRole('textbox', { name: 'Describe what you want to keep' }).fill('every walk along the harbour')
  await page.getByRole('button', { name: 'Propose a type' }).click()
  const region = page.getByRole('region', { name: 'Keeper type from a description' })
  const secondPendingResponse = await withholdNextResponse(page, `**${api}`)
  await region.getByRole('button', { name: 'Create keeper type' }).click()
  await secondPendingResponse.dropResponse(watch)
  await expect(region.getByRole('alert')).toBeVisible()
  await region.getByRole('button', { name: 'Create keeper type' }).click()
  await expect(region).toContainText('Created Harbour Walks.')
  expect(await countTypes('Harbour Walks')).toBe(1)
})

test('an agent with a lost response is created once, also after a reload @long', async ({ page, keeper, watch }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const listTideSlugs = async () => {
    const all = await keeper.callApi<Agent[]>('/api/kip/agents', undefined, { token })
    return all.filter(({ name }) => name.startsWith('Tide')).map(({ slug }) => slug)
  }
  const getBox = (name: string) => page.getByRole('textbox', { name, exact: true })
  const create = page.getByRole('button', { name: 'Create Agent', exact: true })
  await page.goto('/studio/agents')
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await getBox('Name').fill('Tide')
  await getBox('Purpose').fill('Tells the tides.')
  const pendingResponse = await withholdNextResponse(page, '**/api/kip/agents')
  await create.click()
  await pendingResponse.dropResponse(watch)
  await expect(page.getByRole('alert')).toBeVisible()
  await page.reload()
  await expect(getBox('Slug')).toHaveValue('tide')
  await create.click()
  await expect(page).toHaveURL(/\/studio\/agents$/)
  await expect(page.getByRole('article').filter({ hasText: 'Tells the tides.' })).toHaveCount(1)
  expect(await listTideSlugs()).toEqual(['tide'])
})

test('a golden question with a lost response is added once @long', async ({ page, keeper, watch }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = { name: 'Scribe', purpose: 'Writes.', agent_class: 'Lead', memory_enabled: true }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
  const api = `/api/kip/agents/${agent.id}/golden-questions`
  const listQuestions = async () =>
    (await keeper.callApi<{ question: string }[]>(api, undefined, { token })).map(({ question }) => question)
  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  await page.getByRole('region', { name: 'Golden questions' }).getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('textbox', { name: 'Question' }).fill('Where is it?')
  await page.getByRole('textbox', { name: 'What the answer must say' }).fill('quay')
  const pendingResponse = await withholdNextResponse(page, `**${api}`)
  await page.getByRole('button', { name: 'Add golden question' }).click()
  await pendingResponse.dropResponse(watch)
  await expect(page.getByRole('form', { name: 'New golden question' }).getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Add golden question' }).click()
  await expect(page.getByRole('form', { name: 'New golden question' })).toHaveCount(0)
  expect(await listQuestions()).toEqual(['Where is it?'])

  await page.goto(`/${agent.slug}`)
  await page.getByLabel('Write to Scribe').fill('What is kept?')
  await page.getByLabel('Write to Scribe').press('Enter')
  const answer = getConversation(page, 'Scribe').getByRole('listitem').filter({ hasText: 'The quay.' })
  await expect(answer.getByRole('button', { name: 'Regenerate' })).toBeAttached()
  const dialog = page.getByRole('dialog', { name: 'Make this a golden answer' })
  const openForm = async () => {
    await answer.hover()
    await answer.getByRole('button', { name: 'Make this a golden answer' }).click()
  }
  await openForm()
  const secondPendingResponse = await withholdNextResponse(page, `**${api}`)
  await dialog.getByRole('button', { name: 'Add golden question' }).click()
  await expect(dialog.getByRole('button', { name: 'Adding...' })).toBeVisible()
  await expect(dialog.getByLabel('Question')).not.toBeEditable()
  await expect(dialog.getByLabel('What the answer must say')).not.toBeEditable()
  await secondPendingResponse.dropResponse(watch)
  await expect(dialog.getByRole('alert')).toBeVisible()
  await page.keyboard.press('Escape')
  await openForm()
  await dialog.getByRole('button', { name: 'Add golden question' }).click()
  await expect(page.getByText('Golden question added')).toBeVisible()
  expect(await listQuestions()).toEqual(['Where is it?', 'What is kept?'])
})

test('journeys, paths, waypoints and topics with lost responses are created once @long', async ({ page, keeper }) => {
  const { callApi, id } = await createKeeperOfAda(page, keeper)
  const dialog = page.getByRole('dialog')
  const createTwice = async (
    address: string,
    openForm: () => Promise<void>,
    label: string,
    text: string,
    verb: string,
  ) => {
    await openForm()
    await dialog.getByRole('textbox', { name: label, exact: true }).fill(text)
    const pendingResponse = await withholdNextResponse(page, address)
    await dialog.getByRole('button', { name: verb }).click()
    await pendingResponse.reload()
    await openForm()
    await expect(dialog.getByRole('textbox', { name: label, exact: true })).toHaveValue(text)
    await dialog.getByRole('button', { name: verb }).click()
    await expect(dialog).toHaveCount(0)
  }
  const clickButton = (button: string) => () => page.getByRole('button', { name: button }).first().click()

  await page.goto(`/keeper/${id}/journeys`)
  await createTwice('**/journeys', clickButton('New journey'), 'Title', 'The crossing', 'Start journey')
  const journeys = await callApi<{ id: string; title: string }[]>(`/keepers/${id}/journeys`)
  expect(journeys.map(({ title }) => title)).toEqual(['The crossing'])

  const journeyId = journeys[0]?.id
  const fetchPaths = () => callApi<{ title: string; waypoints: { title: string }[] }[]>(`/journeys/${journeyId}/paths`)
  await page.goto(`/keeper/${id}/journeys?journey=${journeyId}`)
  await createTwice('**/paths', clickButton('Add a path'), 'Title', 'By land', 'Add path')
  expect((await fetchPaths()).map(({ title }) => title)).toEqual(['The way so far', 'By land'])
  await createTwice('**/paths/*', clickButton('Add waypoint'), 'Title', 'Harbour', 'Add waypoint')
  expect((await fetchPaths())[0]?.waypoints.map(({ title }) => title)).toEqual(['Harbour'])

  await page.goto(`/keeper/${id}/topics`)
  await createTwice('**/topics', clickButton('New topic'), 'Name', 'Sea', 'Create topic')
  expect((await callApi<{ name: string }[]>(`/keepers/${id}/topics`)).map(({ name }) => name)).toEqual(['Sea'])
})
