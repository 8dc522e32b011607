import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import type { GoldenQuestion } from '#contract/agents/golden-questions.ts'
import type { ContextText } from '#contract/agents/intent.ts'
import type { Board } from '#contract/boards/boards.ts'
import { createEmptyContent } from '#contract/boards/frame-content.ts'
import { frameTypes } from '#contract/boards/frame-types.ts'
import type { Domain } from '#contract/domains/domains.ts'
import type { DomainPeople } from '#contract/domains/people.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'

/** Signs Ada in with a keeper; `callApi` acts as another device of hers. */
async function openKeeperOfAda(page: Page, built: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, built, 'ada')
  const callApi = <Data>(path: string, body?: unknown, method?: string) =>
    built.callApi<Data>(`/api/keeper${path}`, body, { token, ...(method && { method }) })
  const keeperInput = {
    title: 'The Harbour Year',
    purpose: 'At first.',
    keeperType: 'journal',
    memoryPattern: 'sole',
  }
  const keeper = await callApi<Keeper>('/keepers', keeperInput)
  return { id: keeper.id, callApi }
}

interface Conflict {
  save: () => Promise<unknown>
  /** The entity as named in the dialog. */
  entityLabel: string
  /** The merged field as labeled in the dialog. */
  label: string
  /** Saves another text from another device. */
  saveConcurrently: (text: string) => Promise<unknown>
}

/** The form says 'Mine.'. Saving is refused, conflicts again, and is postponed before it succeeds. */
async function expectMergeSaved(page: Page, { save, entityLabel, label, saveConcurrently }: Conflict): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `${entityLabel} was changed elsewhere` })
  const field = dialog.getByRole('region', { name: label, exact: true })
  const together = dialog.getByRole('textbox', { name: `${label}, together` })
  const saveTogether = dialog.getByRole('button', { name: 'Save together' })
  await saveConcurrently('Theirs.')
  await save()
  await dialog.getByRole('button', { name: 'Edit together' }).click()
  await together.fill('Ours, with care.')

  await page.route('**/api/**', (route) =>
    /PUT|PATCH/.test(route.request().method()) ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await saveTogether.click()
  await expect(dialog.getByRole('alert')).toContainText('500')
  await expect(together).toHaveValue('Ours, with care.')
  await page.unroute('**/api/**')

  await saveConcurrently('Theirs again.')
  await saveTogether.click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'A newer version was saved while you were deciding. Compare both again.',
  )
  await expect(field).toContainText('Theirs again.')
  await expect(together).toHaveValue('Ours, with care.')

  await dialog.getByRole('button', { name: 'Decide later' }).click()
  await expect(dialog).toHaveCount(0)
  await save()
  await expect(field).toContainText('Mine.')
  await expect(together).toHaveValue('Ours, with care.')
  await expect(together).toHaveAccessibleDescription('One of the versions was saved again after you wrote this text.')
  await saveTogether.click()
  await expect(dialog).toHaveCount(0)
}

test.beforeEach(({ watch }) => watch.expectLine(/status of (409|500)/))

test('a merged memory card text stays until it is saved @long', async ({ page, keeper }) => {
  const { id, callApi } = await openKeeperOfAda(page, keeper)
  const reflection = await callApi<Reflection>(`/keepers/${id}/reflections`, { content: 'At first.', topic: 'Harbour' })
  const card = await callApi<MemoryCard>(`/reflections/${reflection.id}/promote`, {})
  await page.goto(`/keeper/${id}/memory-cards`)
  await page.getByRole('button', { name: 'More for the card Harbour' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit memory card' })
  await form.getByLabel('Text').fill('Mine.')
  await expectMergeSaved(page, {
    save: () => form.getByRole('button', { name: 'Save' }).click(),
    entityLabel: 'This memory card',
    label: 'Text',
    saveConcurrently: (content) => callApi(`/memory-cards/${card.id}`, { content }, 'PUT'),
  })
  expect(await callApi(`/memory-cards/${card.id}`)).toMatchObject({ content: 'Ours, with care.' })
})

test('a merged moment text stays until it is saved @long', async ({ page, keeper }) => {
  const { id, callApi } = await openKeeperOfAda(page, keeper)
  const moment = await callApi<Moment>(`/keepers/${id}/moments`, { body: 'At first.' })
  await page.goto(`/keeper/${id}/moments`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('form', { name: 'Edit moment' })
  await form.getByRole('textbox', { name: 'What happened' }).fill('Mine.')
  await expectMergeSaved(page, {
    save: () => form.getByRole('button', { name: 'Save' }).click(),
    entityLabel: 'This moment',
    label: 'Text',
    saveConcurrently: (body) => callApi(`/moments/${moment.id}`, { body }, 'PUT'),
  })
  expect(await callApi(`/moments/${moment.id}`)).toMatchObject({ body: 'Ours, with care.' })
})

test('a merged belief stays until it is saved @long', async ({ page, keeper }) => {
  const { id, callApi } = await openKeeperOfAda(page, keeper)
  const voiceInput = { label: 'Promises', belief: 'At first.' }
  const entry = await callApi<VoiceEntry>(`/keepers/${id}/voice-entries`, voiceInput)
  await page.goto(`/keeper/${id}/voice-panel`)
  await page.getByRole('button', { name: 'Edit Promises' }).click()
  const form = page.getByRole('form', { name: 'Edit Promises' })
  await form.getByLabel('Belief').fill('Mine.')
  await expectMergeSaved(page, {
    save: () => form.getByRole('button', { name: 'Save Voice Entry' }).click(),
    entityLabel: 'This voice entry',
    label: 'Belief',
    saveConcurrently: (belief) => callApi(`/voice-entries/${entry.id}`, { belief }, 'PUT'),
  })
  const savedEntries = await callApi<VoiceEntry[]>(`/keepers/${id}/voice-entries`)
  expect(savedEntries).toMatchObject([{ label: 'Promises', belief: 'Ours, with care.' }])
})

test('a merged keeper type stays until it is saved @long', async ({ page, keeper }) => {
  const { callApi } = await openKeeperOfAda(page, keeper)
  const typeInput = { name: 'Logbook of boats', description: 'At first.', memoryPattern: 'SOLE' }
  const type = await callApi<KeeperType>('/keeper-types', typeInput)
  await page.goto(`/keeper/types?type=${type.id}`)
  await page.getByRole('button', { name: 'Edit Type' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Type' })
  await form.getByLabel('Description').fill('Mine.')
  await expectMergeSaved(page, {
    save: () => form.getByRole('button', { name: 'Save' }).click(),
    entityLabel: 'This keeper type',
    label: 'Description',
    saveConcurrently: (description) => callApi(`/keeper-types/${type.id}`, { description }, 'PUT'),
  })
  await expect(form).toHaveCount(0)
  await expect(page.getByText('Ours, with care.')).toBeVisible()
})

test('a merged keeper purpose stays until it is saved @long', async ({ page, keeper }) => {
  const { id, callApi } = await openKeeperOfAda(page, keeper)
  await page.goto(`/keeper/selected/metadata?id=${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Purpose').fill('Mine.')
  await expectMergeSaved(page, {
    save: () => page.getByRole('button', { name: 'Save', exact: true }).click(),
    entityLabel: 'This keeper',
    label: 'Purpose',
    saveConcurrently: (purpose) => callApi(`/keepers/${id}`, { purpose }, 'PUT'),
  })
  expect(await callApi(`/keepers/${id}`)).toMatchObject({ purpose: 'Ours, with care.' })
})

/** Signs Ada in as an administrator; returns a caller for another device of hers. */
async function createAdminCaller(page: Page, built: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, built, 'ada', { isSuperAdmin: true })
  return async <Data>(path: string, body?: unknown, method = body ? 'POST' : 'GET'): Promise<Data> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(built.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(answer.ok, `${method} ${path}`).toBe(true)
    const responseBody = await answer.json()
    return 'success' in responseBody ? responseBody.data : responseBody
  }
}

test('a merged context text stays until it is saved @long', async ({ page, keeper }) => {
  const callApi = await createAdminCaller(page, keeper)
  await page.goto('/studio/admin')
  await page.getByRole('textbox', { name: 'system', exact: true }).fill('Mine.')
  const form = page.locator('form').filter({ has: page.getByRole('textbox', { name: 'system', exact: true }) })
  await expectMergeSaved(page, {
    save: () => form.getByRole('button', { name: 'Save' }).click(),
    entityLabel: 'system',
    label: 'Text',
    saveConcurrently: (body) => callApi('/api/kip/context-texts/system', { body }, 'PUT'),
  })
  const texts = await callApi<ContextText[]>('/api/kip/context-texts')
  expect(texts.find(({ scope }) => scope === 'system')).toMatchObject({ body: 'Ours, with care.' })
})

test('a merged note on a person stays until it is saved @long', async ({ page, keeper }) => {
  const callApi = await createAdminCaller(page, keeper)
  const ben = await registerPerson(keeper, 'ben')
  const { domains } = await callApi<{ domains: Domain[] }>('/api/kam/auth/session')
  const domainId = domains[0]?.id
  await callApi(`/api/domains/${domainId}/members`, { userId: ben.user.id, role: 'user' })
  const fetchNotedPerson = async () =>
    (await callApi<DomainPeople>(`/api/people?domainId=${domainId}`)).people.find(
      ({ userId }) => userId === ben.user.id,
    )
  const id = (await fetchNotedPerson())?.id
  await page.goto(`/studio/people-board?personId=${ben.user.id}`)
  const panel = page.getByRole('dialog', { name: 'Ben Haugen' })
  await panel.getByLabel('Note').fill('Mine.')
  await expectMergeSaved(page, {
    save: () => panel.getByRole('button', { name: 'Save note' }).click(),
    entityLabel: 'This note',
    label: 'Note',
    saveConcurrently: (note) => callApi(`/api/people/${id}`, { note }, 'PATCH'),
  })
  expect(await fetchNotedPerson()).toMatchObject({ note: 'Ours, with care.' })
})

test('a merged domain description stays until it is saved @long', async ({ page, keeper }) => {
  const callApi = await createAdminCaller(page, keeper)
  const { id } = await callApi<Domain>('/api/domains', { name: 'Quay Choir', description: 'At first.' })
  await page.goto('/root/domain')
  await page
    .getByRole('list', { name: 'Domains' })
    .getByRole('button', { name: /Quay Choir/ })
    .click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Description' }).fill('Mine.')
  await expectMergeSaved(page, {
    save: () => page.getByRole('button', { name: 'Save', exact: true }).click(),
    entityLabel: 'This domain',
    label: 'Description',
    saveConcurrently: (description) => callApi(`/api/domains/${id}`, { description }, 'PATCH'),
  })
  const { domains } = await callApi<{ domains: Domain[] }>('/api/kam/auth/session')
  expect(domains.find((domain) => domain.id === id)).toMatchObject({ description: 'Ours, with care.' })
})

test('a merged golden question stays until it is saved @long', async ({ page, keeper }) => {
  const callApi = await createAdminCaller(page, keeper)
  const agent = await callApi<Agent>('/api/kip/agents', { name: 'Guide', purpose: 'Knows.' })
  const path = `/api/kip/agents/${agent.id}/golden-questions`
  const questionInput = { question: 'Where is it?', expectation: 'At first.', judged_by: 'contains' }
  const { id } = await callApi<GoldenQuestion>(path, questionInput)
  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  await page.getByRole('button', { name: 'Edit: Where is it?' }).click()
  await page.getByRole('textbox', { name: 'What the answer must say' }).fill('Mine.')
  await expectMergeSaved(page, {
    save: () => page.getByRole('button', { name: 'Save', exact: true }).click(),
    entityLabel: 'This golden question',
    label: 'What the answer must say',
    saveConcurrently: (expectation) => callApi(`${path}/${id}`, { expectation }, 'PUT'),
  })
  await expect(page.getByText('Must contain: Ours, with care.')).toBeVisible()
})

test('frame settings edited together stay until they are saved @long', async ({ page, keeper }) => {
  const callApi = await createAdminCaller(page, keeper)
  const type = await callApi<KeeperType>('/api/keeper/keeper-types', { name: 'Walks', description: 'At first.' })
  const board = await callApi<Board>('/api/boards', { name: 'The Harbour Year' })
  const { description, category, icon, pattern } = frameTypes.config_panel
  const data = {
    frameType: 'config_panel',
    name: 'Settings',
    slug: 'settings',
    description,
    category,
    icon,
    position: { x: 0, y: 0 },
    size: { width: 320, height: 300 },
    content: { ...createEmptyContent('config_panel'), entity: 'keeper-type', entityId: type.id },
  }
  const frames = [{ id: crypto.randomUUID().replaceAll('-', ''), data, FrameConfig: { engagementMode: pattern } }]
  await callApi(`/api/boards/${board.id}`, { frames }, 'PATCH')
  await page.goto(`/studio/board-studio?board=${board.id}`)
  const panel = page.getByRole('region', { name: 'Settings', exact: true })
  await panel.getByRole('textbox', { name: 'Description' }).fill('Mine.')
  await expectMergeSaved(page, {
    save: () => panel.getByRole('button', { name: 'Save', exact: true }).click(),
    entityLabel: 'This keeper type',
    label: 'Description',
    saveConcurrently: (description) => callApi(`/api/keeper/keeper-types/${type.id}`, { description }, 'PUT'),
  })
  const types = await callApi<KeeperType[]>('/api/keeper/keeper-types')
  expect(types.find(({ id }) => id === type.id)).toMatchObject({ description: 'Ours, with care.' })
})

test('a second conflict while publishing a keeper type asks again @long', async ({ page, keeper }) => {
  const callApi = await createAdminCaller(page, keeper)
  const type = await callApi<KeeperType>('/api/keeper/keeper-types', { name: 'Walks', description: 'At first.' })
  await page.goto(`/keeper/types?type=${type.id}`)
  await page.getByRole('link', { name: 'Open as board' }).click()
  await page.getByLabel('Purpose').fill('Mine.')
  await page.getByRole('button', { name: 'Review & publish' }).click()
  const saveConcurrently = (description: string) =>
    callApi(`/api/keeper/keeper-types/${type.id}`, { description }, 'PUT')
  await saveConcurrently('Theirs.')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'This keeper type was changed elsewhere' })
  const field = dialog.getByRole('region', { name: 'Description', exact: true })
  await dialog.getByRole('button', { name: 'Edit together' }).click()
  await dialog.getByRole('textbox', { name: 'Description, together' }).fill('Ours, with care.')
  await saveConcurrently('Theirs again.')
  await dialog.getByRole('button', { name: 'Save together' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'A newer version was saved while you were deciding. Compare both again.',
  )
  await expect(field).toContainText('Theirs again.')
  await expect(field).toContainText('Ours, with care.')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect(dialog).toHaveCount(0)
  const types = await callApi<KeeperType[]>('/api/keeper/keeper-types')
  expect(types.find(({ id }) => id === type.id)).toMatchObject({ description: 'Ours, with care.' })
})
