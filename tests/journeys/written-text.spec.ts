import type { Locator, Page } from '@playwright/test'
import { createKeeperOfAda } from './ada-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const shoppingList = 'Milk\nBread\nEggs'
const firstText = `${shoppingList}\n\nA walk to the pier\n---\nFirst claim.[^1]\n\n[^1]: First source.`
const secondText = 'Second claim.[^1]\n\n[^1]: Second source.'

const getArticle = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const readLines = async (text: Locator) => (await text.innerText()).split('\n').filter((line) => line.trim() !== '')

test('typed lines stay lines before and after the renderer has loaded, and on paper', async ({ page, keeper }) => {
  const { callApi, id } = await createKeeperOfAda(page, keeper)
  const createMoment = (body: string) => callApi<{ id: string }>(`/keepers/${id}/moments`, { body })
  const { id: firstId } = await createMoment(firstText)
  await createMoment(`${secondText}\n\nAs [I wrote then](/keeper/${id}/moments?moment=${firstId}).`)

  await page.route('**/markdown-text*.js', (route) => new Promise(() => void route))
  await page.goto(`/keeper/${id}/moments`)
  const firstArticle = getArticle(page, 'First claim.')
  expect((await readLines(firstArticle)).slice(0, 10)).toEqual(expect.arrayContaining(['Milk', 'Bread', 'Eggs']))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await expect(firstArticle.locator('hr')).toBeVisible()
  await expect(firstArticle.getByRole('heading', { name: /pier/ })).toHaveCount(0)
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media })
    expect(await readLines(firstArticle)).toEqual(expect.arrayContaining(['Milk', 'Bread', 'Eggs']))
  }
  await page.emulateMedia({ media: 'screen' })

  const address = page.url()
  const secondArticle = getArticle(page, 'Second claim.')
  await secondArticle.getByRole('link', { name: '1', exact: true }).click()
  await expect(secondArticle.getByRole('listitem').filter({ hasText: 'Second source.' })).toBeFocused()
  await secondArticle.getByRole('link', { name: 'Back to reference 1' }).click()
  await expect(secondArticle.getByRole('link', { name: '1', exact: true })).toBeFocused()
  expect(page.url(), 'the address holds what is open').toBe(address)
  const ids = await page.evaluate(() => [...document.querySelectorAll('main [id]')].map((element) => element.id))
  expect(new Set(ids).size).toBe(ids.length)
  await expectNoViolations(page, 'two texts with footnotes')

  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await secondArticle.getByRole('link', { name: 'I wrote then' }).click()
  await expect(page).toHaveURL(new RegExp(`moments\\?moment=${firstId}$`))
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
})

test('lines stay lines in every kind of entry and on shared pages @long', async ({ page, keeper, anotherPage }) => {
  test.slow()
  const { callApi, id } = await createKeeperOfAda(page, keeper)
  const reflection = await callApi<{ id: string }>(`/keepers/${id}/reflections`, { content: shoppingList })
  const promotedReflection = await callApi<{ id: string }>(`/keepers/${id}/reflections`, { content: shoppingList })
  const card = await callApi<{ id: string }>(`/reflections/${promotedReflection.id}/promote`, {})
  const journey = await callApi<{ id: string }>(`/keepers/${id}/journeys`, { title: 'Out', purpose: shoppingList })
  await callApi(`/keepers/${id}/logbook-entries`, { entry: shoppingList, label: 'Shopper', category: 'Work' })
  await callApi(`/keepers/${id}/voice-entries`, { belief: shoppingList, label: 'Shopping' })
  await callApi(`/keepers/${id}/echoes`, { message: shoppingList })
  await callApi(`/keepers/${id}/moments`, { body: shoppingList, journeyId: journey.id })
  for (const address of [
    `/keeper/${id}/reflection-journal?tab=all&reflection=${reflection.id}`,
    `/keeper/${id}/memory-cards?card=${card.id}`,
    `/keeper/${id}/journeys?journey=${journey.id}`,
    `/keeper/${id}/identity-logbook`,
    `/keeper/${id}/voice-panel`,
    `/keeper/${id}/echo-writer`,
    `/keeper/${id}/moments`,
  ]) {
    await page.goto(address)
    const text = page.locator('main p').filter({ hasText: /^Milk\s*Bread\s*Eggs$/ })
    await expect(text.locator('br').first(), address).toBeAttached()
    expect(await readLines(text.first()), address).toEqual(['Milk', 'Bread', 'Eggs'])
  }
  const benPage = await anotherPage()
  const ben = await registerAndSignIn(benPage, keeper, 'ben')
  const token = (await page.evaluate(() => localStorage.getItem('keeper_token'))) ?? ''
  const session = await keeper.callApi<{ domains: { id: string; isPrimary: boolean }[] }>(
    '/api/kam/auth/session',
    undefined,
    { token },
  )
  const domainId = session.domains.find(({ isPrimary }) => isPrimary)?.id
  await keeper.callApi(`/api/domains/${domainId}/members`, { userId: ben.user.id, role: 'friend' }, { token })
  const parts = ['moments', 'logbook', 'journeys']
  const sharedPath = `/api/domains/${domainId}/shared/keepers/${id}`
  await keeper.callApi(sharedPath, { parts, roles: ['friend'] }, { token, method: 'PUT' })
  for (const part of ['moments', 'logbook']) {
    await benPage.goto(`/root/domain/${domainId}/keepers/${id}?part=${part}`)
    const text = benPage.locator('main p').filter({ hasText: /^Milk\s*Bread\s*Eggs$/ })
    await expect(text.locator('br').first(), part).toBeAttached()
    expect(await readLines(text.first()), part).toEqual(['Milk', 'Bread', 'Eggs'])
  }
})

test('a document shows its properties, and links lead within it @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  const paragraphs = 'The tide took its time today.\n\n'.repeat(60)
  const content = `---
title: A day by the sea
date: 2026-05-03
tags: [sea, walk]
---

# The day

[To the end](#the-end) <!-- a note to myself -->

| a | b |
|---|---|
| one<br>two | three |

<details><summary>More</summary>

Hidden **words**

</details>

${paragraphs}
## The end

A claim.[^1]

[^1]: A source.
`
  await page
    .getByLabel('Choose documents')
    .setInputFiles({ name: 'front.md', mimeType: 'text/markdown', buffer: Buffer.from(content) })
  await page.getByRole('button', { name: 'View front.md' }).click()
  const dialog = page.getByRole('dialog', { name: 'front.md' })
  const properties = dialog.getByRole('table', { name: 'Properties' })
  await expect(properties.getByRole('row')).toHaveText(['titleA day by the sea', 'date2026-05-03', 'tagssea, walk'])
  await expect(dialog.getByRole('heading', { name: 'The day' })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: /title|date/ })).toHaveCount(0)
  await expect(dialog.getByText('Hidden words')).toBeVisible()
  await expect(dialog).not.toContainText(/note to myself|<br>|<details>/)
  const address = page.url()
  await dialog.getByRole('link', { name: 'To the end' }).click()
  await expect(dialog.getByRole('heading', { name: 'The end' })).toBeFocused()
  await expect(dialog.getByRole('heading', { name: 'The end' })).toBeInViewport()
  expect(page.url()).toBe(address)
  await expectNoViolations(page, 'a document with properties')
})
