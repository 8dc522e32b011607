import { expectNoViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'
import { openMoments } from './open-moments.ts'

test('moments are found by place, on a map and in a list @long', async ({ page, keeper }) => {
  const createInput = (body: string, location: object) => ({ body, place: location })
  const { address, listMoments } = await openMoments(page, keeper, [
    createInput('Buns with Per.', { name: 'The quay', lat: 60.397, lng: 5.322 }),
    createInput('Late again.', { name: 'The quay', lat: 60.397, lng: 5.322 }),
    createInput('Sang the slow one.', { name: 'The old school', lat: 60.401, lng: 5.309 }),
    createInput('Far away.', { name: 'Kyoto', lat: 35.011, lng: 135.768 }),
    createInput('At her table.', { name: 'Mother’s' }),
  ])
  await page.getByRole('tab', { name: 'Map' }).click()
  await expect(page.getByRole('img', { name: 'A sketch of 3 places' })).toBeVisible()
  const placeButtons = page.getByRole('region', { name: 'Places' }).getByRole('button')
  await expect(placeButtons).toHaveText([/^The quay2 moments/, /1 moment/, /1 moment/, /1 moment/])
  await expectNoViolations(page, 'the map')
  await page.getByRole('button', { name: 'Zoom in on The quay' }).click()
  await expect(page.getByRole('img', { name: 'A sketch of 2 places' })).toBeVisible()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect(page.getByRole('img', { name: 'A sketch of 3 places' })).toBeVisible()

  await placeButtons.first().click()
  const quay = page.getByRole('region', { name: 'The quay' })
  await expect(quay.getByRole('article')).toHaveText([/Late again\./, /Buns with Per\./])
  await page.reload()
  await expect(quay.getByRole('article'), 'the place is in the URL').toHaveCount(2)
  await placeButtons.filter({ hasText: 'Mother’s' }).click()
  await expect(page.getByRole('article').filter({ hasText: 'At her table.' })).toBeVisible()
  await expectNoViolations(page, 'the moments of a place')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(placeButtons, 'a phone shows only the selected place').toHaveCount(0)
  await page.getByRole('button', { name: 'All places' }).click()
  await expect(placeButtons).toHaveCount(4)
  expect(await listMoments()).toHaveLength(5)
  await page.goto(`${address.replace(/[^/]+\/moments/, 'demo/moments')}?view=map`)
  await expect(page.getByRole('img', { name: 'A sketch of 2 places' }), 'samples have places too').toBeVisible()
})
