import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Media } from '#contract/keepers/media.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { createHeic } from '../heic-file.ts'
import { createPhoto } from '../photo-file.ts'
import { createJpeg } from '../picture-files.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'
import { getComposer } from './locators.ts'
import { openMoments } from './open-moments.ts'

async function uploadPicture(keeper: BuiltKeeper, { id, token }: { id: string; token: string }, bytes: Buffer) {
  const response = await fetch(`${keeper.url}/api/keeper/keepers/${id}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(bytes),
  })
  return ((await response.json()) as { data: Media }).data.id
}

/** Adds up the bytes of pictures that the page receives. */
function countPictureBytes(page: Page) {
  let total = 0
  page.on('response', (response) => {
    if (response.request().method() === 'GET' && response.url().includes('/api/keeper/media/'))
      total += Number(response.headers()['content-length'])
  })
  return () => {
    const bytes = total
    total = 0
    return bytes
  }
}

test('12 large pictures load under a quarter of their bytes, and an opened one all @long', async ({ page, keeper }) => {
  test.slow()
  const large = await createJpeg(2400, 1800, { noise: 1 })
  expect(large.length).toBeGreaterThan(2_000_000)
  const owner = await openMoments(page, keeper)
  const addMoment = async (_: unknown, index: number) => {
    const mediaId = await uploadPicture(keeper, owner, large)
    const body = { body: `Day ${index}`, mediaIds: [mediaId], occurredAt: `2026-01-${10 + index}T12:00:00Z` }
    await keeper.callApi<Moment>(`/api/keeper/keepers/${owner.id}/moments`, body, { token: owner.token })
  }
  await Promise.all(Array.from({ length: 12 }, addMoment))
  await page.goto('/root')
  const readBytes = countPictureBytes(page)
  await page.goto(`/keeper/${owner.id}/moments?view=media`)
  const tiles = page.getByRole('main').getByRole('button', { name: /The picture, / })
  await expect(tiles).toHaveCount(12, { timeout: 120_000 })
  const wallBytes = readBytes()
  expect(wallBytes).toBeGreaterThan(12 * 1000)
  expect(wallBytes).toBeLessThan((12 * large.length) / 4)

  await tiles.first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('img')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Save the original' })).toBeVisible()
  expect(readBytes()).toBe(large.length)
  await expectNoViolations(page, 'a picture in full view')
})

test('a picture keeps its shape, opens in full size and is small after a reload @long', async ({ page, keeper }) => {
  const rotated = await createJpeg(1600, 800, { orientation: 6, noise: 0.3 })
  const { listMoments } = await openMoments(page, keeper)
  const smallResponse = page.waitForResponse((response) => response.url().endsWith('/small') && response.ok())
  const files = page.waitForEvent('filechooser')
  await getComposer(page).getByRole('textbox').first().focus()
  await getComposer(page).getByRole('button', { name: 'Picture' }).click()
  await (await files).setFiles({ name: 'IMG_0001.png', mimeType: 'image/png', buffer: rotated })
  await expect(getComposer(page).getByRole('button', { name: 'Remove IMG_0001.png' })).toBeVisible()
  await smallResponse
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  expect((await listMoments())[0]?.media).toMatchObject([{ mime: 'image/jpeg', width: 800, height: 1600 }])

  const readBytes = countPictureBytes(page)
  await page.reload()
  const picture = page.getByRole('article').locator('img')
  await expect(picture).toBeVisible()
  const shape = await picture.evaluate((image: HTMLImageElement) => ({
    natural: [image.naturalWidth, image.naturalHeight],
    isInside:
      image.getBoundingClientRect().bottom <= (image.closest('button')?.getBoundingClientRect().bottom ?? 0) + 1,
  }))
  expect(shape).toEqual({ natural: [320, 640], isInside: true })
  const cardBytes = readBytes()
  expect(cardBytes).toBeGreaterThan(1000)
  expect(cardBytes).toBeLessThan(rotated.length / 4)
  await page.getByRole('button', { name: 'Open IMG_0001.png' }).click()
  await expect
    .poll(() =>
      page
        .getByRole('dialog')
        .locator('img')
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(800)
})

test('the composer explains each bad file and keeps those no browser shows @long', async ({
  page,
  keeper,
}, testInfo) => {
  const { listMoments } = await openMoments(page, keeper)
  const files = page.waitForEvent('filechooser')
  await getComposer(page).getByRole('textbox').first().focus()
  await getComposer(page).getByRole('button', { name: 'Sound' }).click()
  const contents = {
    'nothing.mp3': Buffer.alloc(0),
    'film.mp4': Buffer.alloc(51 * 1024 * 1024),
    'letter.mp3': Buffer.from('PK\x03\x04\x14\0\0\0'),
    'memo.amr': Buffer.from('#!AMR\n\x3c\x54\xfd\x1f', 'latin1'),
  }
  const paths = Object.entries(contents).map(([name, content]) => {
    const path = testInfo.outputPath(name)
    writeFileSync(path, content)
    return path
  })
  await (await files).setFiles(paths)
  await expect(getComposer(page).getByRole('alert').getByRole('listitem')).toHaveText([
    'nothing.mp3 is empty. Check that it opens on this device, then add it again.',
    'film.mp4 is larger than 50 MB. Reduce its size or length, then add it again.',
    /^letter\.mp3 can’t be added\. Choose a JPEG, PNG, WebP, GIF, AVIF or HEIC picture, or /,
  ])
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  expect((await listMoments())[0]?.media).toMatchObject([{ mime: 'audio/amr', kind: 'file', name: 'memo.amr' }])
  await page.reload()
  await expect(page.getByRole('article').getByRole('link', { name: 'memo.amr' })).toHaveAttribute(
    'download',
    'memo.amr',
  )
})

test('the composer offers date and place of a picture, and sends neither unasked @long', async ({ page, keeper }) => {
  const photo = createPhoto(
    { taken: '2024:05:03 18:20:11', position: [41.15, -8.61] },
    await createJpeg(900, 600, { noise: 0.2 }),
  )
  const { listMoments } = await openMoments(page, keeper)
  const choosePhoto = async (name: string) => {
    const files = page.waitForEvent('filechooser')
    await getComposer(page).getByRole('textbox').first().focus()
    await getComposer(page).getByRole('button', { name: 'Picture' }).click()
    await (await files).setFiles({ name, mimeType: 'image/jpeg', buffer: photo })
  }
  await choosePhoto('one.jpg')
  const offer = getComposer(page).getByRole('group', { name: 'From the picture' })
  await expect(offer).toContainText('Taken May 3, 2024 at 41.15, −8.61.')
  await expectNoViolations(page, 'the offer of a date and a place')
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  await expect(offer).toHaveCount(0)
  const [unasked] = await listMoments()
  expect(unasked).toMatchObject({ place: null })
  expect(unasked?.localDate).not.toBe('2024-05-03')

  await choosePhoto('two.jpg')
  await offer.getByRole('button', { name: 'Use this date' }).click()
  await expect(offer).toContainText('Taken at 41.15, −8.61.')
  await offer.getByRole('button', { name: 'Use this place' }).click()
  await expect(offer).toHaveCount(0)
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved on May 3, 2024.')
  const place = { name: '41.15, −8.61', lat: 41.15, lng: -8.61 }
  expect((await listMoments()).at(-1)).toMatchObject({ localDate: '2024-05-03', place })
})

test('a HEIC picture of a phone is shown rotated, without console messages', async ({ page, keeper }) => {
  const { listMoments } = await openMoments(page, keeper)
  const heic = createHeic({ columns: 2, quarterTurns: 1 })
  await getComposer(page).getByRole('textbox').click()
  await getComposer(page)
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'phone.heic', mimeType: 'image/heic', buffer: heic })
  await expect(getComposer(page).locator('img')).toBeVisible()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.poll(async () => (await listMoments()).length).toBe(1)
  await page.reload()
  const picture = page.getByRole('button', { name: /phone\.heic/ }).locator('img')
  await expect(picture).toBeVisible()
  const pixels = await picture.evaluate((image: HTMLImageElement) => {
    const { naturalWidth: width, naturalHeight: height } = image
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', {
      willReadFrequently: true,
    })
    context?.drawImage(image, 0, 0)
    const getColor = (y: number) => [...(context?.getImageData(width / 2, y, 1, 1).data ?? [])]
    return { width, height, top: getColor(10), bottom: getColor(height - 10) }
  })
  expect(pixels).toMatchObject({ width: 64, height: 128 })
  expect(pixels.top[2], 'blue is on top').toBeGreaterThan(150)
  expect(pixels.bottom[0], 'red is at the bottom').toBeGreaterThan(180)
  const [media] = (await listMoments())[0]?.media ?? []
  expect(media).toMatchObject({ mime: 'image/heic', bytes: heic.length, width: 64, height: 128 })
})
