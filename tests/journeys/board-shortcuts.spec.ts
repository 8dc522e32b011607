import type { Board } from '#contract/boards/boards.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { checkShortcuts } from './shortcut-checks.ts'

test('each board shortcut does what its list says @long', async ({ page, keeper }) => {
  test.slow()
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const response = await fetch(`${keeper.url}/api/boards`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'The Harbour Year' }),
  })
  const board = (await response.json()) as Board
  await page.goto(`/studio/board-studio?board=${board.id}`)
  const getNode = (name: string) =>
    page.locator('.react-flow__node', { has: page.getByRole('region', { name, exact: true }) })
  const canvas = page.getByRole('region', { name: 'Board canvas' })
  const liveRegion = page.locator('[data-canvas-live]')
  const selected = page.locator('.react-flow__node.selected')
  const tools = page.getByRole('toolbar', { name: 'Canvas tools' })
  const zoom = tools.getByRole('button', { name: /^Zoom, / })
  const expectAnnouncement = (text: string | RegExp) => expect(liveRegion).toHaveText(text)
  const press = (name: string) => page.keyboard.press(name)
  await expect(getNode('Cover')).toBeVisible()
  await canvas.focus()
  await checkShortcuts('On a board', [
    [
      'Next frame',
      async () => {
        await press('Tab')
        await expect(getNode('Cover')).toBeFocused()
      },
    ],
    [
      'Move, or hold Shift to move farther. With nothing selected, pan the view',
      async () => {
        await press('ArrowRight')
        await expectAnnouncement('Cover moved to 60, 40')
        await press('Shift+ArrowDown')
        await expectAnnouncement('Cover moved to 60, 140')
      },
    ],
    [
      'Make larger or smaller',
      async () => {
        await press('Alt+ArrowRight')
        await expectAnnouncement(/^Cover resized to 320 by 200/)
      },
    ],
    [
      'Undo',
      async () => {
        await press('Control+z')
        await expectAnnouncement(/^Undone/)
      },
    ],
    [
      'Redo',
      async () => {
        await press('Control+Shift+z')
        await expectAnnouncement(/^Redone/)
        await press('Control+z')
        await expectAnnouncement(/^Undone/)
        await press('Control+y')
        await expectAnnouncement(/^Redone/)
      },
    ],
    [
      'Save',
      async () => {
        await press('Control+s')
        await expect
          .poll(async () => {
            const answer = await fetch(`${keeper.url}/api/board-data/${board.id}`, {
              headers: { authorization: `Bearer ${token}` },
            })
            return ((await answer.json()) as Board).frames.find(({ data }) => data.name === 'Cover')?.data.size.width
          })
          .toBe(320)
      },
    ],
    [
      'Bring to front',
      async () => {
        await press('Control+]')
        await expectAnnouncement(/front/)
      },
    ],
    [
      'Send to back',
      async () => {
        await press('Control+[')
        await expectAnnouncement(/behind|back/)
      },
    ],
    [
      'Duplicate',
      async () => {
        await press('Control+d')
        await expect(getNode('Cover')).toHaveCount(2)
      },
    ],
    [
      'Remove',
      async () => {
        await press('Delete')
        await expect(getNode('Cover')).toHaveCount(1)
      },
    ],
    [
      'Select all',
      async () => {
        await press('Control+a')
        await expect(selected).toHaveCount(2)
      },
    ],
    [
      'Go to the selection’s toolbar',
      async () => {
        await press('Alt+F10')
        await expect(page.locator('[data-selection-bar] button').first()).toBeFocused()
      },
    ],
    [
      'Leave the frame, or clear the selection',
      async () => {
        await canvas.focus()
        await press('Escape')
        await expect(selected).toHaveCount(0)
      },
    ],
    [
      'Add the frame to the selection',
      async () => {
        await press('Tab')
        await press('Shift+Enter')
        await press('Tab')
        await press('Shift+Enter')
        await expectAnnouncement('2 frames selected')
        await press('Escape')
        await expect(selected).toHaveCount(0)
      },
    ],
    [
      'Enter the frame',
      async () => {
        await canvas.focus()
        await press('Tab')
        await press('Enter')
        await expect(selected.locator(':focus')).toHaveCount(1)
        await press('Escape')
        await expect(selected.first()).toBeFocused()
        await press('Escape')
      },
    ],
    [
      'Zoom in or out',
      async () => {
        await canvas.focus()
        const initialZoom = await zoom.textContent()
        await press('Control+-')
        await expect(zoom).not.toHaveText(initialZoom ?? '')
        await press('Control++')
        await expect(zoom).toHaveText(initialZoom ?? '')
        await press('Control+-')
      },
    ],
    [
      'Zoom to 100%',
      async () => {
        await press('Control+0')
        await expect(zoom).toHaveText('100%')
      },
    ],
    [
      'Show everything',
      async () => {
        for (let presses = 0; presses < 8; presses++) await press('Control+-')
        const small = await zoom.textContent()
        await press('Shift+Digit1')
        await expect(zoom).not.toHaveText(small ?? '')
        await expect(getNode('Cover')).toBeInViewport()
      },
    ],
    [
      'Tools: select, hand, frame, text',
      async () => {
        for (const [letter, name] of [
          ['h', /\(H\)/],
          ['f', /\(F\)/],
          ['t', /\(T\)/],
          ['v', /\(V\)/],
        ] as const) {
          await press(letter)
          await expect(tools.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true')
        }
      },
    ],
  ])
})
