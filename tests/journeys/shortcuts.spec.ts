import type { Locator } from '@playwright/test'
import type { Domain } from '#contract/domains/domains.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { shortcutGroups } from '#web/shell/shortcut-list.ts'
import { expect, getConversation, leaveMomentBox, registerAndSignIn, registerPerson, test } from './fixtures.ts'
import { checkShortcuts, getHeading, press } from './shortcut-checks.ts'

test('the shortcut list names all keys and can turn single keys off @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await leaveMomentBox(page)
  await press(page, '?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const { title, shortcuts } of shortcutGroups)
    await expect(sheet.getByRole('region', { name: title, exact: true }).getByRole('term')).toHaveText(
      shortcuts.map(({ description }) => description),
    )
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await press(page, 'g', 'k')
  await expect(page).toHaveURL(/\/root$/)
  await press(page, 'Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
})

test('shortcuts work on a Cyrillic keyboard @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await leaveMomentBox(page)
  const devTools = await page.context().newCDPSession(page)
  const press = async (key: string, code: string, modifiers = 0) => {
    const keyPress = { key, code, modifiers, windowsVirtualKeyCode: code.charCodeAt(3) }
    await devTools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...keyPress })
    await devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...keyPress })
  }
  const ctrl = 2
  await press('л', 'KeyK', ctrl)
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await press('п', 'KeyG')
  await press('ф', 'KeyA')
  await expect(page).toHaveURL(/\/studio\/agents$/)
})

test('global and list shortcuts do what the list says @long', async ({ page, keeper }) => {
  test.slow()
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await leaveMomentBox(page)
  await keeper.callApi<Keeper>(
    '/api/keeper/keepers',
    { title: 'The house', purpose: 'p', keeperType: 'journal' },
    { token },
  )
  const opens = (keys: string[], path: RegExp) => async () => {
    await press(page, ...keys)
    await expect(page).toHaveURL(path)
  }
  const selectsMode = (key: string, name: string) => async () => {
    await press(page, key)
    await expect(page.getByRole('radio', { name, exact: true }).first()).toBeChecked()
  }
  await checkShortcuts('Everywhere', [
    [
      'Search or jump to',
      async () => {
        await press(page, 'Control+k')
        await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
      },
    ],
    [
      'Close the open dialog or menu',
      async () => {
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      },
    ],
    [
      'This list',
      async () => {
        await press(page, '?')
        await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      },
    ],
    ['Go to All Keepers', opens(['g', 'k'], /\/keeper$/)],
    [
      'Search on this page',
      async () => {
        await expect(page.getByRole('searchbox')).toBeVisible()
        await press(page, '/')
        await expect(page.getByRole('searchbox')).toBeFocused()
        await page.getByRole('searchbox').blur()
      },
    ],
    ['New item in this list', opens(['n'], /\/keeper\/new$/)],
    [
      'Catch a moment',
      async () => {
        await opens(['m'], /\/keeper\/1\/dashboard\?write$/)()
        const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
        await expect(box).toBeFocused()
        await box.blur()
      },
    ],
    ['Go to Board Studio', opens(['g', 'b'], /board-studio/)],
    ['Go to Documents', opens(['g', 'l'], /\/library$/)],
    ['Go to Root Dashboard', opens(['g', 'r'], /\/root$/)],
    ['My Keeper mode', selectsMode('Alt+2', 'My Keeper')],
    ['Admin mode', selectsMode('Alt+3', 'Admin')],
    ['Architect mode', selectsMode('Alt+1', 'Architect')],
    [
      'Collapse or expand the sidebar',
      async () => {
        const expandedLabel = page.getByRole('link', { name: 'Manage Agents' }).getByText('Manage Agents')
        await expect(expandedLabel).toBeVisible()
        await press(page, '[')
        await expect(page.getByRole('button', { name: /(open|widen|expand).*sidebar/i })).toBeVisible()
        await press(page, '[')
        await expect(expandedLabel).toBeVisible()
      },
    ],
    ['Go to Manage Agents', opens(['g', 'a'], /\/studio\/agents$/)],
  ])

  const body = { name: 'Harbour Guide', purpose: 'Knows the harbour.' }
  const response = await fetch(`${keeper.url}/api/kip/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  await page.reload()
  const cards = page.getByRole('article')
  const ownCard = cards.filter({ hasText: body.name })
  const expectFocused = (card: Locator) => expect(card.locator(':focus')).toHaveCount(1)
  const focusOwnCard = async () => {
    for (let presses = 0; presses < 12 && (await ownCard.locator(':focus').count()) === 0; presses++)
      await press(page, 'j')
    await expectFocused(ownCard)
  }
  await expect(ownCard).toBeVisible()
  await checkShortcuts('In lists', [
    [
      'Next item',
      async () => {
        await press(page, 'j')
        await expectFocused(cards.nth(0))
        await press(page, 'j')
        await expectFocused(cards.nth(1))
      },
    ],
    [
      'Previous item',
      async () => {
        await press(page, 'k')
        await expectFocused(cards.nth(0))
      },
    ],
    [
      'Run the focused agent',
      async () => {
        await focusOwnCard()
        await press(page, 'r')
        await expect(page.getByRole('textbox', { name: `Test input for ${body.name}` })).toBeFocused()
        await page.keyboard.press('Enter')
        await expect(page.getByRole('dialog').or(page.getByRole('alertdialog')).first()).toContainText(body.name)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      },
    ],
    [
      'Edit the focused item',
      async () => {
        await focusOwnCard()
        await press(page, 'e')
        await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(body.name)
        await page.goBack()
      },
    ],
    [
      'Open the focused item',
      async () => {
        await expect(ownCard).toBeVisible()
        await focusOwnCard()
        await press(page, 'Enter')
        await expect(getHeading(page)).toContainText(body.name)
      },
    ],
  ])
})

test('shortcuts for moments, writing and chats do what the list says @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const quay = await keeper.callApi<Keeper>(
    '/api/keeper/keepers',
    { title: 'The Quay', purpose: 'p', keeperType: 'journal' },
    { token },
  )
  await page.goto(`/keeper/${quay.id}/moments?view=calendar&day=2026-05-10`)
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  const expectDay = (date: RegExp) => expect(page).toHaveURL(date)
  await checkShortcuts('In Moments', [
    [
      'Previous day',
      async () => {
        await expect(page.getByRole('gridcell', { selected: true })).toBeVisible()
        await press(page, '[')
        await expectDay(/day=2026-05-09/)
      },
    ],
    [
      'Next day',
      async () => {
        await press(page, ']')
        await expectDay(/day=2026-05-10/)
      },
    ],
    [
      'Write a moment',
      async () => {
        await page.goto(`/keeper/${quay.id}/moments`)
        for (const key of ['c', 'm']) {
          await expect(box).toBeVisible()
          await press(page, key)
          await expect(box).toBeFocused()
          await box.blur()
        }
      },
    ],
  ])
  await checkShortcuts('While writing', [
    [
      'Save',
      async () => {
        await box.fill('Two herons.')
        await page.keyboard.press('Control+Enter')
        await expect(page.getByRole('article').filter({ hasText: 'Two herons.' })).toBeVisible()
      },
    ],
  ])
  for (const [hoursAgo, topic] of [
    [60, 'The door'],
    [50, 'Choir'],
  ] as const) {
    const createdAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
    const reflection = { topic, content: 'She waved at the bend.', createdAt }
    await keeper.callApi(`/api/keeper/keepers/${quay.id}/reflections`, reflection, { token })
  }
  await page.goto(`/keeper/${quay.id}/reflection-journal?tab=suggested`)
  const suggestions = page.getByRole('tabpanel').getByRole('listitem')
  await expect(suggestions).toHaveCount(2)
  await checkShortcuts('In Suggested Promotions', [
    [
      'Keep the focused reflection',
      async () => {
        await page.keyboard.press('j')
        await page.keyboard.press('p')
        await expect(suggestions.first()).toContainText('Keeping in')
      },
    ],
    [
      'Undo while it counts down',
      async () => {
        await page.keyboard.press('u')
        await expect(suggestions.first()).not.toContainText('Keeping in')
      },
    ],
    [
      'Let it rest',
      async () => {
        await page.keyboard.press('r')
        await expect(suggestions.first()).toContainText('Letting it rest in')
        await expect(suggestions).toHaveCount(1)
      },
    ],
  ])
  await page.goto('/kip')
  const messageBox = page.getByLabel('Write to Kip')
  await checkShortcuts('In a chat', [
    [
      'A new line',
      async () => {
        await messageBox.fill('One')
        await page.keyboard.press('Shift+Enter')
        await page.keyboard.type('Two')
        await expect(messageBox).toHaveValue('One\nTwo')
      },
    ],
    [
      'Send',
      async () => {
        await page.keyboard.press('Enter')
        await expect(messageBox).toHaveValue('')
        await expect(getConversation(page).getByText('Two').first()).toBeVisible()
      },
    ],
    [
      'Cancel editing a question',
      async () => {
        const question = getConversation(page).getByRole('listitem').first()
        await question.hover()
        await question.getByRole('button', { name: /edit/i }).click()
        const editBox = question.getByRole('textbox')
        await editBox.fill('Three')
        await page.keyboard.press('Escape')
        await expect(editBox).toHaveCount(0)
        await expect(question).toContainText('Two')
      },
    ],
  ])
})

test('shortcuts of dashboard, people board and themes do what the list says @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const quay = await keeper.callApi<Keeper>(
    '/api/keeper/keepers',
    { title: 'The Quay', purpose: 'p', keeperType: 'journal' },
    { token },
  )
  await page.goto(`/keeper/${quay.id}/dashboard`)
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await checkShortcuts('On a keeper’s dashboard', [
    [
      'Write a moment',
      async () => {
        for (const key of ['c', 'm']) {
          await expect(box).toBeVisible()
          await press(page, key)
          await expect(box).toBeFocused()
          await box.blur()
        }
      },
    ],
  ])

  const { user } = await registerPerson(keeper, 'ben')
  const { domains } = await keeper.callApi<{ domains: Domain[] }>('/api/kam/auth/session', undefined, { token })
  await keeper.callApi(`/api/domains/${domains[0]?.id}/members`, { userId: user.id, role: 'user' }, { token })
  await page.goto('/studio/people-board')
  const getBenCard = (role: string) =>
    page.getByRole('region', { name: new RegExp(`^${role}, `) }).getByRole('article', { name: 'Ben Haugen' })
  await checkShortcuts('On the people board', [
    [
      'Pick up the card with the focused handle, or drop it',
      async () => {
        await page.getByRole('button', { name: 'Move Ben Haugen' }).focus()
        await page.keyboard.press('Space')
        await expect(page.getByText(/^Picked up Ben Haugen, a user\./)).toBeAttached()
      },
    ],
    [
      'Cancel the move',
      async () => {
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('Escape')
        await expect(getBenCard('User')).toBeVisible()
      },
    ],
    [
      'Move the card to another role',
      async () => {
        for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
        await expect(getBenCard('Friend')).toBeVisible()
        await expect(page.getByText('Ben Haugen is now a friend.').first()).toBeAttached()
      },
    ],
    [
      'Undo the last role change',
      async () => {
        await page.keyboard.press('Control+z')
        await expect(getBenCard('User')).toBeVisible()
      },
    ],
  ])

  await page.goto('/studio/themes?from=keeper-classic')
  const ink = page.getByRole('textbox', { name: 'Quiet text, light', exact: true })
  const initialInk = await ink.inputValue()
  await ink.fill('#cccccc')
  await ink.blur()
  await checkShortcuts('In the theme editor', [
    [
      'Undo',
      async () => {
        await page.keyboard.press('Control+z')
        await expect(ink).toHaveValue(initialInk)
      },
    ],
    [
      'Redo',
      async () => {
        await page.keyboard.press('Control+Shift+z')
        await expect(ink).toHaveValue('#cccccc')
      },
    ],
  ])
})
