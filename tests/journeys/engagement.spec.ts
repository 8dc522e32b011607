import { singleAnswerKey } from '#contract/keepers/engagement-templates.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
)
const keeperInput = { title: 'The Harbour Year', purpose: 'Keep what the harbour says.', keeperType: 'journal' }

test('a form and a process are built by keyboard and become one reflection @long', async ({ page, keeper, watch }) => {
  test.slow()
  watch.expectLine(/status of 409/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi<Keeper>('/api/keeper/keepers', { ...keeperInput, memoryPattern: 'sole' }, { token })
  await page.goto('/keeper/engagement-templates')
  const forms = page.getByRole('list', { name: 'Content types' }).locator(':scope > li')
  await expect(forms).toHaveCount(4)
  await expect(page.getByText('Coming Soon')).toHaveCount(0)
  await expectNoViolations(page, 'the overview')

  await page.getByRole('button', { name: 'Create content type' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill('Tide notes')
  const rows = page.getByRole('list', { name: 'Fields' }).locator(':scope > li')
  await rows.first().getByLabel('Question').fill('How high was it?')
  await page.getByRole('button', { name: 'Add field' }).press('Enter')
  await expect(rows.nth(1).getByLabel('Question'), 'the new row has the focus').toBeFocused()
  await page.keyboard.type('What did it leave?')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(rows.first().getByLabel('Question')).toHaveValue('What did it leave?')
  await rows.nth(1).getByRole('button', { name: 'Move How high was it? up' }).press('Enter')
  await expect(rows.first().getByLabel('Question')).toHaveValue('How high was it?')
  await rows.first().getByLabel('Answer', { exact: true }).selectOption('scale')
  await rows.first().getByLabel('Required').press('Space')
  await expect(page.getByRole('radiogroup', { name: 'How high was it? From 1 to 5' }), 'the preview').toBeVisible()
  await expectNoViolations(page, 'the builder')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Name' }), 'the built process is a draft').toHaveValue('Tide notes')
  await page.getByRole('button', { name: 'Create content type' }).press('Enter')
  await expect(page.getByText('Created Tide notes.')).toBeVisible()
  await expect(forms).toHaveCount(5)

  await page.getByRole('tab', { name: /Engagement Process/ }).click()
  await page.getByRole('button', { name: 'Create process' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill('Ebb and flow')
  const steps = page.getByRole('list', { name: 'Steps' }).locator(':scope > li')
  await steps.first().getByLabel('Title').fill('The water')
  await steps.first().getByLabel('Form', { exact: true }).selectOption({ label: 'Tide notes' })
  await page.getByRole('button', { name: 'Add step' }).press('Enter')
  await expect(steps.nth(1).getByLabel('Title'), 'the new step has the focus').toBeFocused()
  await page.keyboard.type('The shore')
  await steps.nth(1).getByLabel('Prompt').fill('What is different there?')
  await page.getByRole('button', { name: 'Create process' }).press('Enter')
  await expect(page.getByText('Created Ebb and flow.')).toBeVisible()

  await page.getByRole('button', { name: 'Start Ebb and flow' }).press('Enter')
  const start = page.getByRole('dialog').getByRole('button', { name: 'Start' })
  await expect(start).toBeEnabled()
  await start.press('Enter')
  await expect(page.getByText('Question 1 of 3').first()).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await expect(page.getByText('Answer this question.')).toBeVisible()
  await page.getByRole('radio', { name: '4' }).press('Space')
  await expectNoViolations(page, 'a question')
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await expect(page.getByLabel('What did it leave?')).toBeFocused()
  await page.keyboard.type('A plank and a shoe.')
  await page.reload()
  await expect(page.getByLabel('What did it leave?'), 'half an answer survives a reload').toHaveValue(
    'A plank and a shoe.',
  )
  await page.getByLabel('What did it leave?').press('Control+Enter')
  await expect(page.getByText('What is different there?')).toBeVisible()
  await page.getByRole('button', { name: 'Finish later' }).click()
  const unfinishedItems = page.getByRole('list', { name: 'Unfinished' }).getByRole('listitem')
  await expect(unfinishedItems).toHaveCount(1)
  await expect(unfinishedItems).toContainText('Step 2 of 2')
  await expectNoViolations(page, 'the templates of a keeper')
  await unfinishedItems.getByRole('link', { name: 'Continue Ebb and flow' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('What did it leave?')).toHaveValue('A plank and a shoe.')
  await page.getByLabel('What did it leave?').fill('A plank and two shoes.')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('The shore').fill('The path is gone.')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('button', { name: 'Finish', exact: true }).press('Enter')
  await expect(page.getByText('Saved as a reflection')).toBeVisible()
  await page.getByRole('link', { name: 'Open the reflection' }).click()
  await expect(page.getByText('A plank and two shoes.').first()).toBeVisible()
  await expect(page.getByText('4 of 5').first()).toBeVisible()
  await expect(page.getByText('The path is gone.').first()).toBeVisible()

  await page.goto('/keeper/engagement-templates')
  await page.getByRole('button', { name: 'More for Tide notes' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete template' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('This template is used by a process.')
})

test('an uploading picture blocks finishing and ends up in the resulting moment', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>(
    '/api/keeper/keepers',
    { ...keeperInput, memoryPattern: 'sole' },
    { token },
  )
  const fields = [
    { key: 'sky', label: 'How was the sky?', type: 'text', required: false },
    { key: 'pictures', label: 'What did you see?', type: 'media', required: false },
  ]
  const form = { kind: 'content-type', label: 'Watch', category: 'Harbour', target: 'moment', fields }
  const { id: templateId } = await keeper.callApi<{ id: string }>('/api/keeper/engagement-templates', form, { token })
  const run = await keeper.callApi<{ id: string }>(
    `/api/keeper/engagement-templates/${templateId}/run`,
    { keeperId: id },
    { token },
  )
  const gate = Promise.withResolvers<void>()
  await page.route('**/media?*', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto(`/keeper/${id}/engagement?run=${run.id}`)
  await page.getByLabel('How was the sky?').fill('Grey.')
  await page.getByRole('button', { name: 'Next' }).click()
  const files = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add pictures or sound' }).click()
  await (await files).setFiles({ name: 'quay.png', mimeType: 'image/png', buffer: picture })
  await expect(page.getByRole('progressbar', { name: 'Uploading quay.png' })).toBeVisible()
  for (const name of ['Back', 'Finish later', 'Finish'])
    await expect(page.getByRole('button', { name, exact: true }), name).toBeDisabled()
  await page.getByRole('button', { name: 'Add pictures or sound' }).press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Uploading...' })).toBeVisible()
  await expectNoViolations(page, 'an answer in progress')
  await page.getByRole('link', { name: 'Back to Keepers' }).click()
  await expect(page.getByText('What did you see?')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('progressbar', { name: 'Uploading quay.png' }), 'the upload continues').toBeVisible()
  await expect(page.getByRole('button', { name: 'Finish', exact: true })).toBeDisabled()
  gate.resolve()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(page.getByText('Saved as a moment')).toBeVisible()
  const { items } = await keeper.callApi<{ items: Moment[] }>(`/api/keeper/keepers/${id}/moments`, undefined, { token })
  expect(items).toMatchObject([{ media: [{ name: 'quay.png' }] }])
})

test('built-in templates are duplicated, tested and shown in the studio @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada')
  await page.goto('/studio/engagement-templates')
  await page.getByRole('button', { name: 'More for Gratitude' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(page.getByText('Created Copy of Gratitude. You can change it.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Copy of Gratitude' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Thanks')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Thanks' })).toBeVisible()

  await page.goto('/keeper/types?type=journal&tab=engagement-templates')
  await page.getByRole('button', { name: 'Test Morning pages' }).click()
  await expect(page.getByText('Your answers aren’t saved.')).toBeVisible()
  await page.getByLabel('What is on your mind?').fill('Rain.')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(page.getByText('That’s all')).toBeVisible()
})

test('memory patterns and agent classes are created and used @long', async ({ page, keeper, watch }) => {
  test.slow()
  watch.expectLine(/status of 409/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi<Keeper>('/api/keeper/keepers', { ...keeperInput, memoryPattern: 'sole' }, { token })
  await page.goto('/studio/memory-patterns')
  const patterns = page.getByRole('list', { name: 'Memory patterns' }).locator(':scope > li')
  await expect(patterns).toHaveCount(2)
  await expect(patterns.first()).toContainText('1 keeper')
  await page.getByRole('tab', { name: 'Create' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Tide table')
  await page.getByRole('button', { name: 'Add section' }).press('Enter')
  await page.getByRole('textbox', { name: 'Title' }).fill('High water')
  await expectNoViolations(page, 'a new pattern')
  await page.getByRole('button', { name: 'Create pattern' }).click()
  await expect(patterns).toHaveCount(3)
  await expectNoViolations(page, 'memory patterns')

  await page.goto('/keeper/1/dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Memory pattern').selectOption({ label: 'Tide table' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Memory pattern')).toHaveCount(0)
  await page.goto('/studio/memory-patterns')
  await expect(patterns.nth(2)).toContainText('1 keeper')
  await page.getByRole('button', { name: 'Delete Tide table' }).click()
  await page.getByRole('button', { name: 'Delete pattern' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Keepers use this pattern.')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/studio/agent-classes?tab=create')
  await page.getByRole('textbox', { name: 'Name' }).fill('Night clerk')
  await page.getByLabel('Provider').selectOption('anthropic')
  await page.getByLabel('Remembers chats').press('Space')
  await expectNoViolations(page, 'a new class')
  await page.getByRole('button', { name: 'Create class' }).click()
  const classes = page.getByRole('list', { name: 'Agent classes' }).locator(':scope > li')
  await expect(classes).toHaveCount(5)
  await expect(classes.nth(4)).toContainText('0 agents')
  await expectNoViolations(page, 'agent classes')
  await page.getByRole('button', { name: 'New agent from Night clerk' }).click()
  await expect(page.getByText('This agent starts from your class night-clerk.')).toBeVisible()
  await expect(page.getByText('claude-haiku-5-5').first(), 'it uses the model of the class').toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbour clerk')
  await page.getByRole('textbox', { name: 'Purpose' }).fill('Watches the harbour.')
  await page.getByRole('button', { name: 'Create Agent', exact: true }).click()
  await expect(page.getByText('Created Harbour clerk.')).toBeVisible()
  await page.goto('/studio/agent-classes')
  await expect(classes.nth(4)).toContainText('1 agent')
  await page.getByRole('button', { name: 'Delete Night clerk' }).click()
  await page.getByRole('button', { name: 'Delete class' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Agents use this class.')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/studio/agent-classes', '/studio/memory-patterns?tab=create', '/keeper/engagement-templates']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
  }
})

test('answers of a later step survive going back and a concurrent edit @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 409/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const callApi = <Data>(path: string, body?: unknown, method?: string) =>
    keeper.callApi<Data>(`/api/keeper${path}`, body, { token, ...(method && { method }) })
  const { id } = await callApi<Keeper>('/keepers', { ...keeperInput, memoryPattern: 'sole' })
  const steps = ['The water', 'The shore'].map((title) => ({
    title,
    prompt: '',
    agentSlug: null,
    contentTypeId: null,
    waitHours: 0,
  }))
  const process = { kind: 'process', label: 'Ebb and flow', category: 'Harbour', target: 'reflection', steps }
  const template = await callApi<{ id: string }>('/engagement-templates', process)
  const run = await callApi<{ id: string }>(`/engagement-templates/${template.id}/run`, { keeperId: id })
  await page.goto(`/keeper/${id}/engagement?run=${run.id}`)
  await page.getByLabel('The water').fill('Low.')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('The shore').fill('Stones.')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByLabel('The water').fill('High.')
  const concurrentAnswers = { step: 0, answers: { [singleAnswerKey]: 'Half.' } }
  await callApi(`/template-runs/${run.id}`, concurrentAnswers, 'PUT')
  await page.getByRole('button', { name: 'Finish later' }).click()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Finish later' }).click()
  await expect(page.getByRole('list', { name: 'Unfinished' })).toBeVisible()
  expect(await callApi(`/template-runs/${run.id}`)).toMatchObject({
    step: 1,
    answers: [{ [singleAnswerKey]: 'High.' }, { [singleAnswerKey]: 'Stones.' }],
  })
})
