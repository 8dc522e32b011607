import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import type { SessionFacts } from '#contract/accounts/accounts.ts'
import { arrive, expect, test } from './fixtures.ts'

/**
 * The addresses of the route table itself, so that a new page is walked without being added here. The workbench is left out:
 * it holds every part of the interface, several headings among them.
 */
const table = readFileSync(resolve(import.meta.dirname, '../../web/routes.tsx'), 'utf8')
const addresses = [...table.matchAll(/path="((?!\/dev)[^"]+)"/g)].map(([, path = '']) =>
  path
    .replace('*', '/nothing/is/here')
    .replace(':agentSlug', 'ceox')
    .replace(':agentId', 'built-in-kip')
    .replace(':id', '1'),
)
const screens = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

test('every address of the application shows one named page that fits a desk and a phone', async ({ page, keeper }) => {
  test.slow()
  expect(addresses.length).toBeGreaterThan(50)
  const { token } = await arrive(page, keeper, 'cleo', { runsThePlatform: true })
  const made = { title: 'Harbour Year', purpose: 'Kept by the water.', keeperType: 'journal', memoryPattern: 'sole' }
  const { id: keeperId } = await keeper.ask<{ id: string }>('/api/keeper/keepers', made, { token })
  const { id: journeyId } = await keeper.ask<{ id: string }>(
    `/api/keeper/keepers/${keeperId}/journeys`,
    { title: 'To the lighthouse' },
    { token },
  )
  const { domains } = await keeper.ask<SessionFacts>('/api/kam/auth/session', undefined, { token })
  const domainId = domains[0]?.id ?? ''
  const given = { parts: ['moments', 'journeys', 'logbook', 'sole'], roles: ['friend'] }
  await keeper.ask(`/api/domains/${domainId}/shared/keepers/${keeperId}`, given, { token, method: 'PUT' })
  await walk(
    page,
    addresses.map((path) =>
      path.replace(':domainId', domainId).replace(':keeperId', keeperId).replace(':journeyId', journeyId),
    ),
  )
})

test('what a visitor may see is named and fits too', async ({ page, watch }) => {
  watch.expectLine(/status of 404/)
  await walk(page, ['/', '/login', '/register', '/kip', '/debug', '/board-demo', '/nobody-here'])
})

async function walk(page: Page, paths: string[]) {
  const said: string[] = []
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
  for (const path of paths) {
    await page.setViewportSize(screens.desk)
    await page.goto(path)
    const heading = page.getByRole('heading', { level: 1 })
    await expect.soft(heading, `${path} has one h1`).toHaveCount(1)
    await expect.soft(heading, path).toBeVisible()
    await expect.soft(page, path).toHaveTitle(/\S+.* · Keeper$|^Keeper/)
    for (const [name, size] of Object.entries(screens)) {
      await page.setViewportSize(size)
      expect.soft(await sideways(page), `${path} on a ${name}: pixels that stick out`).toBe(0)
    }
    expect
      .soft(
        said.splice(0).filter((line) => !/status of 404|Service Worker registration blocked by Playwright/.test(line)),
        `${path} says nothing`,
      )
      .toEqual([])
  }
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
