import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { cast } from '../cast.ts'
import { expect, registerPerson, test } from './fixtures.ts'

const { email, password } = cast.ada

/** Passkeys need a host name: localhost, not an address. */
const toLocalhost = (url: string) => url.replace('127.0.0.1', 'localhost')

async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function signIn(page: Page, url: string) {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const signOut = (page: Page) => page.evaluate(() => localStorage.clear())

/** RFC 6238, independent of the server's code. */
function computeCode(secret: string, timeMs: number): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(timeMs / 30_000)))
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  return String((mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

test('a passkey is added, renamed and signs in without an email; the session says so', async ({ page, keeper }) => {
  const url = toLocalhost(keeper.url)
  await registerPerson(keeper, 'ada')
  await addAuthenticator(page)
  await signIn(page, url)
  await page.waitForURL(/\/root/)
  await page.goto(`${url}/root/profile`)
  const section = page.getByRole('region', { name: 'Passkeys' })
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await section.getByRole('button', { name: /^Rename/ }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Desk computer')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(section.getByText('Desk computer')).toBeVisible()
  await signOut(page)
  await page.goto(`${url}/login`)
  // With the simulated presence, the offer in the email field may sign in before the button is there.
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await Promise.race([page.waitForURL(/\/root/), button.click()]).catch(() => undefined)
  await page.waitForURL(/\/root/)
  await page.goto(`${url}/root/profile`)
  await expect(page.getByRole('region', { name: 'Where you’re signed in' })).toContainText('with passkey')
  await section.getByRole('button', { name: 'Remove Desk computer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(0)
})

test('codes from a QR code are asked for at sign-in; a recovery code works once', async ({ page, keeper, watch }) => {
  await registerPerson(keeper, 'ada')
  await signIn(page, keeper.url)
  await page.waitForURL(/\/root/)
  await page.goto(`${keeper.url}/root/profile`)
  await page.getByRole('button', { name: 'Turn on codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn on codes' })
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(computeCode(secret, Date.now()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codeItems = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codeItems).toHaveCount(10)
  const codes = await codeItems.allTextContents()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  expect((await download).suggestedFilename()).toBe('keeper-recovery-codes.txt')
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  await signOut(page)
  watch.expectLine(/403|400/)
  await signIn(page, keeper.url)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText(/This code isn’t right/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(codes[0] ?? '')
  await page.getByLabel('Don’t ask for a code on this device for 30 days').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/root/)
  await page.goto(`${keeper.url}/root/profile`)
  await expect(page.getByText('9 recovery codes left')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Where you’re signed in' })).toContainText('password and recovery code')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/login/)
  await signIn(page, keeper.url)
  await page.waitForURL(/\/root/)
  await page.goto(`${keeper.url}/root/profile`)
  await page.getByRole('button', { name: /^Ask for a code on .+ again$/ }).click()
  await expect(page.getByRole('heading', { name: 'Devices that need no code' })).toHaveCount(0)
})

test('a locked page is unlocked with a passkey, and keeps what was typed @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 423/)
  const url = toLocalhost(keeper.url)
  await registerPerson(keeper, 'ada')
  await addAuthenticator(page)
  await signIn(page, url)
  await page.waitForURL(/\/root/)
  await page.clock.install()
  await page.goto(`${url}/root/profile`)
  const section = page.getByRole('region', { name: 'Passkeys' })
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await page.getByLabel('Lock this and your other tabs').selectOption('1')
  await page.getByRole('button', { name: 'Save app lock' }).click()
  await expect(page.getByText('App lock saved.')).toBeVisible()
  await page.goto(`${url}/root`)
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await box.fill('The harbour was quiet.')
  await page.clock.fastForward('01:05')
  const heading = page.getByRole('heading', { name: 'Keeper is locked' })
  await expect(heading).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('keeper_token'))
  const getStatus = async () =>
    (await page.request.get(`${url}/api/kam/auth/session`, { headers: { authorization: `Bearer ${token}` } })).status()
  await expect.poll(getStatus).toBe(423)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(heading).toHaveCount(0)
  await expect(box).toHaveValue('The harbour was quiet.')
  expect(await getStatus()).toBe(200)
})

test.describe('after five minutes', () => {
  test.use({ clocked: true })

  test('a dangerous call asks for the password once and is sent again', async ({ page, keeper, watch }) => {
    await registerPerson(keeper, 'ada')
    await signIn(page, keeper.url)
    await page.waitForURL(/\/root/)
    await page.goto(`${keeper.url}/root/profile`)
    await keeper.passTime(6 * 60_000)
    watch.expectLine(/403/)
    await page.getByRole('button', { name: 'Turn on codes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('dialog', { name: 'Turn on codes' })).toBeVisible()
    await expect(dialog).toHaveCount(0)
  })
})
