import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { arrive, expect, test } from './fixtures.ts'
import { breaches, expectNoBreach } from './no-breach.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const unbroken = 'Donaudampfschifffahrtsgesellschaftskapitän'

/** A keeper with something in every room, in words that are longer than a phone is wide. */
async function aWrittenKeeper(page: Page, keeper: BuiltKeeper, theme: string) {
  const { token } = await arrive(page, keeper, 'ada')
  const ask = <Data>(path: string, body?: unknown) => keeper.ask<Data>(`/api/keeper${path}`, body, { token })
  const { id } = await ask<Keeper>('/keepers', {
    title: `The ${unbroken} Year`,
    purpose: unbroken.repeat(4),
    keeperType: 'journal',
    memoryPattern: 'sole',
    theme,
  })
  const at = `/keepers/${id}`
  await ask(`${at}/journeys`, { title: `Towards the ${unbroken}` })
  await ask(`${at}/moments`, { body: unbroken.repeat(3), topics: [unbroken], mood: { score: 1 }, pinned: true })
  const writtenLongAgo = { topic: unbroken, content: unbroken.repeat(6), createdAt: '2026-01-05T08:00:00Z' }
  await ask(`${at}/reflections`, writtenLongAgo)
  const { id: kept } = await ask<Reflection>(`${at}/reflections`, { content: `${unbroken}. The gate does not shut.` })
  await ask(`/reflections/${kept}/promote`, {})
  await ask(`${at}/voice-entries`, { label: unbroken, belief: unbroken.repeat(4) })
  await ask(`${at}/logbook-entries`, { entry: unbroken.repeat(4), label: unbroken, category: 'House', tags: ['a'] })
  await ask(`${at}/echoes`, { message: unbroken.repeat(3), triggerDate: '2026-01-05' })
  await ask(`${at}/sole/draft`, { content: 'I live by the harbour.' })
  return id
}

const pagesOf = (id: string) => [
  '/keeper',
  '/keeper/manage',
  '/keeper/new',
  '/keeper/types',
  '/keeper/bin',
  '/keeper/transfer',
  `/keeper/selected/metadata?id=${id}`,
  `/keeper/selected/memory-tools?id=${id}`,
  `/keeper/${id}/dashboard`,
  `/keeper/${id}/memory`,
  `/keeper/${id}/journeys`,
  `/keeper/${id}/moments`,
  `/keeper/${id}/moments?view=calendar`,
  `/keeper/${id}/moments?view=media`,
  `/keeper/${id}/reflection-journal`,
  `/keeper/${id}/reflection-journal?tab=all`,
  `/keeper/${id}/reflection-journal?tab=suggested`,
  `/keeper/${id}/memory-cards`,
  `/keeper/${id}/memory-cards?q=gate`,
  `/keeper/${id}/voice-panel`,
  `/keeper/${id}/echo-writer`,
  `/keeper/${id}/identity-logbook`,
]

test('every page of a full keeper breaks no rule by day and night, and fits a desk and a narrow phone', async ({
  page,
  keeper,
}) => {
  test.setTimeout(360_000)
  const id = await aWrittenKeeper(page, keeper, 'sunset-warm')
  for (const path of pagesOf(id)) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, path)
    await expectNoBreach(page, path)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoBreachOfLayout(page, `${path} on a phone`)
    await page.setViewportSize({ width: 320, height: 640 })
    expect.soft(await sideways(page), `${path} at 320: pixels that stick out`).toBe(0)
  }
})

async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  await expect(page.locator('main').getByText('Loading...'), path).toHaveCount(0)
  await expect(page.locator('main .animate-shimmer'), path).toHaveCount(0)
}

/** What a smaller screen may break; the colours were held already. */
async function expectNoBreachOfLayout(page: Page, where: string) {
  const rules = ['target-size', 'scrollable-region-focusable', 'button-name', 'link-name', 'label', 'aria-hidden-focus']
  expect.soft(await breaches(page, { rules }), where).toEqual([])
  expect.soft(await sideways(page), `${where}: pixels that stick out`).toBe(0)
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
