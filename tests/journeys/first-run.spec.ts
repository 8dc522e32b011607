import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { cast } from '../cast.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, leaveMomentBox, register, registerAndSignIn, registerPerson, signIn, test } from './fixtures.ts'

// No provider key is configured.
test.use({ settings: { OPENAI_BASE_URL: '' } })

const moment = 'Counted eleven cormorants before the coffee was done.'

const getSteps = (page: Page) => page.getByRole('region', { name: 'First steps' })
const getBox = (page: Page) => page.getByRole('textbox', { name: 'What is worth keeping from today?' })
const getMoment = (page: Page) => page.getByRole('region', { name: 'Your moment' })

test('a newcomer writes a moment and gets a mock answer by keyboard alone', async ({ page, modelProviders }) => {
  await register(page, 'ada')
  const [steps, box, momentRegion] = [getSteps(page), getBox(page), getMoment(page)]
  await expect(box).toBeFocused()
  await page.keyboard.type(moment)
  await page.keyboard.press('Control+Enter')
  await expect(momentRegion.getByRole('status').first()).toHaveText('Saved in My keeper.')
  await expect(steps.getByRole('listitem').filter({ hasText: 'Write down a moment' })).toContainText(', done')

  const chat = steps.getByRole('link', { name: /^Get an answer from an agent/ })
  await expect(chat, 'a chat page has its own tab').toHaveAttribute('target', '_blank')
  await expect(chat).toHaveAttribute('rel', 'noopener')
  const askButton = momentRegion.getByRole('button', { name: 'Ask Kip about it' })
  await expect(askButton).toBeFocused()
  expect(modelProviders.openai.requests, 'nothing is sent before the question').toHaveLength(0)
  await page.keyboard.press('Enter')
  const answer = momentRegion.getByRole('region', { name: 'Kip’s answer' })
  await expect(answer).toContainText('Add a provider key for a real answer.')
  await expect(answer, 'it quotes only what was written').toContainText(`You wrote: “${moment}” Add a key`)
  for (const technical of ['success', 'Mock answer', 'gpt-4o', 'tokens', /in [\d,]+, out/])
    await expect(answer).not.toContainText(technical)
  await expect(answer.getByRole('link', { name: 'Details' })).toHaveAttribute('href', /log|run/)
  await expect(steps.getByRole('listitem').filter({ hasText: 'phone' }), 'no phone can open 127.0.0.1').toHaveCount(0)
  await expect(steps.getByRole('listitem')).toHaveCount(5)
  await expect(answer.getByRole('link', { name: 'Add a provider key' })).toHaveAttribute('href', '/root/api-keys')
  await expectNoViolations(page, 'the first steps with an answer')
  await expect(steps.getByRole('listitem').filter({ hasText: 'Get an answer from an agent' })).toContainText(', done')

  await box.focus()
  await page.keyboard.type('And a twelfth.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: /^Saved\.$/ })).toBeVisible()
  await expect(answer, 'the answer stays').toBeVisible()
  await page.reload()
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('')
  await expect(momentRegion).toHaveCount(0)

  const keepers = page.getByRole('region', { name: 'Your keepers' })
  await expect(keepers).toContainText('And a twelfth.')
  await keepers.getByRole('link', { name: 'My keeper' }).click()
  await expect(page.getByRole('main')).toContainText(moment)
  await page.goto('/root')
  await expect(steps.getByRole('listitem').filter({ hasText: 'Make your own keeper' })).not.toContainText('done')
  await expect(steps.getByRole('link', { name: 'Make your own keeper' })).toHaveAttribute('href', '/keeper/new')
  await leaveMomentBox(page)
  await page.keyboard.press('m')
  await expect(box, 'a moment is one key press away').toBeFocused()
  await expect(page).toHaveURL(/\/root$/)
})

test('the first steps disappear with a message when they are done @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const steps = getSteps(page)
  await getBox(page).fill(moment)
  await page.getByRole('button', { name: 'Save moment' }).click()
  await getMoment(page).getByRole('button', { name: 'Ask Kip about it' }).click()
  await expect(getMoment(page)).toContainText('Add a provider key for a real answer.')
  await page.goto('/keeper/new')
  const token = await page.evaluate(() => localStorage.getItem('keeper_token') ?? '')
  await keeper.callApi(
    '/api/keeper/keepers',
    { title: 'The house', purpose: 'What the house says.', keeperType: 'journal' },
    { token },
  )
  await page.goto('/root')
  await expect(page.getByText('You’ve finished the first steps.')).toBeVisible()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your keepers' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'The house' })).toBeVisible()
  await expect(page.getByText('You’ve finished the first steps.')).toHaveCount(0)
})

test('hidden first steps stay hidden until the palette restores them @long', async ({ page, keeper, anotherPage }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const steps = getSteps(page)
  await steps.getByRole('button', { name: 'Hide first steps' }).click()
  await expect(steps).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const phone = await anotherPage()
  await signIn(phone, 'ada')
  await expect(phone.getByText('You have none yet.')).toBeVisible()
  await expect(getSteps(phone)).toHaveCount(0)
  await expect(getBox(phone), 'the box is always there').toBeVisible()

  await phone.keyboard.press('Control+k')
  await expect(phone.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await phone.keyboard.type('first steps')
  await phone.keyboard.press('Enter')
  await expect(getSteps(phone)).toBeVisible()
  await expect(getBox(phone)).toBeFocused()
  await page.reload()
  await expect(steps).toBeVisible()
})

test('offline the first moment waits, and arrives with its keeper once online', async ({ page, keeper, watch }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await expect(page.getByText('You have none yet.')).toBeVisible()
  watch.expectLine(/Failed to load resource/)
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await getBox(page).fill(moment)
  await page.getByRole('button', { name: 'Save moment' }).click()
  const momentRegion = getMoment(page)
  await expect(momentRegion).toContainText(
    'Saved in this browser. It will be sent as soon as the server can be reached.',
  )
  await expect(momentRegion.getByRole('button', { name: 'Ask Kip about it' })).toHaveCount(0)
  await page.unroute('**/api/**')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Your keepers' }).getByRole('link', { name: 'My keeper' })).toBeVisible(
    {
      timeout: 30_000,
    },
  )
  await page.getByRole('region', { name: 'Your keepers' }).getByRole('link', { name: 'My keeper' }).click()
  await expect(page.getByRole('main')).toContainText(moment)
})

test('a sample keeper is opened, tried and removed in one click each @long', async ({ page, keeper, watch }) => {
  await registerPerson(keeper, 'ada')
  await signIn(page, 'ada')
  await page.getByRole('button', { name: 'Look at a sample keeper' }).click()
  await expect(page).toHaveURL(/\/keeper\/sample-\w+\/dashboard$/)
  const sample = page.getByRole('region', { name: 'Sample' })
  await expect(sample).toContainText('A sample with invented entries.')
  await expect(page.getByRole('main')).toContainText('First frost on the rope ladder.')
  await expectNoViolations(page, 'a sample keeper')
  await expect(sample).toContainText('Agents read it only when you ask them to.')
  await expect(page.getByRole('main')).toContainText('20 entries')
  await page.goto(`${new URL(page.url()).pathname.replace('/dashboard', '/moments')}`)
  await expect(page.getByText('First frost on the rope ladder.').first()).toBeVisible()
  await page.goto('/keeper')
  const keeperCard = page.getByRole('listitem').filter({ hasText: 'Sample: the harbour year' })
  await expect(keeperCard).toContainText('1 journey, 20 entries')
  await page.getByRole('button', { name: 'Remove sample' }).click()
  await expect(page.getByText('The shelf is empty')).toBeVisible()
  await expect(page.getByText('Sample keeper removed.')).toBeVisible()
  await expect(keeperCard).toHaveCount(0)
  watch.expectLine(/Failed to load resource/)
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await palette.getByRole('combobox').fill('rope ladder')
  await expect(palette, 'this browser no longer has it').toContainText('Nothing matches these words.')
  await expect(palette).toContainText('The server can’t be reached.')
  await palette.getByRole('combobox').fill('sample')
  await expect(palette.getByRole('option', { name: /Board/ }), 'the sample board is not saved').toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.unroute('**/api/**')
  await page.goto('/keeper/bin')
  await expect(page.getByRole('main')).not.toContainText('Sample: the harbour year')

  await page.goto('/keeper')
  await page.getByRole('button', { name: 'Look at a sample keeper' }).click()
  await expect(sample).toBeVisible()
  await page.keyboard.press('m')
  await page.keyboard.type(`${cast.ada.name} was here.`)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Saved.')).toBeVisible()
  await sample.getByRole('button', { name: 'Remove sample' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove the sample keeper?' })
  await expect(question).toContainText('You wrote 1 entry in this keeper.')
  await question.getByRole('button', { name: 'Remove sample' }).click()
  await expect(page.getByText('The shelf is empty')).toBeVisible()
})

test('removing a sample asks about entries that another tab has written @long', async ({ page, keeper }) => {
  const { token, user } = await registerAndSignIn(page, keeper, 'ada', { path: '/keeper' })
  await page.getByRole('button', { name: 'Look at a sample keeper' }).click()
  await expect(page).toHaveURL(/\/keeper\/sample-\w+\/dashboard$/)
  // Freezes this tab's keeper list.
  let keeperList: Buffer | undefined
  await page.route('**/api/keeper/keepers', async (route) => {
    keeperList ??= await (await route.fetch()).body()
    await route.fulfill({ contentType: 'application/json', body: keeperList })
  })
  await page.goto('/keeper')
  const keeperCard = page.getByRole('listitem').filter({ hasText: 'Sample: the harbour year' })
  await expect(keeperCard).toContainText('20 entries')
  await keeper.callApi(`/api/keeper/keepers/sample-${user.id}/reflections`, { content: 'I was here.' }, { token })
  await page.getByRole('button', { name: 'Remove sample' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove the sample keeper?' })
  await expect(question).toContainText('You wrote 1 entry in this keeper.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  const { entryCount } = await keeper.callApi<Keeper>(`/api/keeper/keepers/sample-${user.id}`, undefined, { token })
  expect(entryCount).toBe(21)
})
