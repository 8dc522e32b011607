export interface ListedShortcut {
  keys: string[]
  or?: string[]
  does: string
}

export interface ShortcutGroup {
  where: string
  shortcuts: ListedShortcut[]
}

/** Shown in the sheet that `?` opens, grouped by where they apply. Focused widgets may handle more keys. */
export const shortcutGroups: ShortcutGroup[] = [
  {
    where: 'Everywhere',
    shortcuts: [
      { keys: ['Ctrl K'], does: 'Search or jump to' },
      { keys: ['?'], does: 'This list' },
      { keys: ['M'], does: 'Catch a moment' },
      { keys: ['N'], does: 'New item in this list' },
      { keys: ['/'], does: 'Search on this page' },
      { keys: ['G', 'R'], does: 'Go to Root Dashboard' },
      { keys: ['G', 'K'], does: 'Go to All Keepers' },
      { keys: ['G', 'A'], does: 'Go to Manage Agents' },
      { keys: ['G', 'B'], does: 'Go to Board Studio' },
      { keys: ['G', 'L'], does: 'Go to Documents' },
      { keys: ['Alt 1'], does: 'Architect mode' },
      { keys: ['Alt 2'], does: 'My Keeper mode' },
      { keys: ['Alt 3'], does: 'Admin mode' },
      { keys: ['['], does: 'Collapse or expand the sidebar' },
      { keys: ['Esc'], does: 'Close the open dialog or menu' },
    ],
  },
  {
    where: 'In lists',
    shortcuts: [
      { keys: ['J'], does: 'Next item' },
      { keys: ['K'], does: 'Previous item' },
      { keys: ['↵'], does: 'Open the focused item' },
      { keys: ['E'], does: 'Edit the focused item' },
      { keys: ['R'], does: 'Run the focused agent' },
    ],
  },
  {
    where: 'On a keeper’s dashboard',
    shortcuts: [{ keys: ['C'], or: ['M'], does: 'Write a moment' }],
  },
  {
    where: 'In Moments',
    shortcuts: [
      { keys: ['C'], or: ['M'], does: 'Write a moment' },
      { keys: ['['], does: 'Previous day' },
      { keys: [']'], does: 'Next day' },
    ],
  },
  { where: 'While writing', shortcuts: [{ keys: ['Ctrl ↵'], does: 'Save' }] },
  {
    where: 'In a chat',
    shortcuts: [
      { keys: ['↵'], does: 'Send' },
      { keys: ['Shift ↵'], does: 'A new line' },
      { keys: ['Esc'], does: 'Cancel editing a question' },
    ],
  },
  {
    where: 'On a board',
    shortcuts: [
      { keys: ['Ctrl S'], does: 'Save' },
      { keys: ['Ctrl Z'], does: 'Undo' },
      { keys: ['Ctrl Shift Z'], or: ['Ctrl Y'], does: 'Redo' },
      { keys: ['Tab'], does: 'Next frame' },
      { keys: ['↵'], does: 'Enter the frame' },
      { keys: ['Esc'], does: 'Leave the frame, or clear the selection' },
      { keys: ['Shift ↵'], does: 'Add the frame to the selection' },
      { keys: ['Ctrl A'], does: 'Select all' },
      {
        keys: ['←'],
        or: ['→', '↑', '↓'],
        does: 'Move, or hold Shift to move farther. With nothing selected, pan the view',
      },
      { keys: ['Alt ←'], or: ['→', '↑', '↓'], does: 'Make larger or smaller' },
      { keys: ['Ctrl D'], does: 'Duplicate' },
      { keys: ['Delete'], does: 'Remove' },
      { keys: ['Ctrl ]'], does: 'Bring to front' },
      { keys: ['Ctrl ['], does: 'Send to back' },
      { keys: ['Ctrl +'], or: ['Ctrl -'], does: 'Zoom in or out' },
      { keys: ['Ctrl 0'], does: 'Zoom to 100%' },
      { keys: ['Shift 1'], does: 'Show everything' },
      { keys: ['V'], or: ['H', 'F', 'T'], does: 'Tools: select, hand, frame, text' },
      { keys: ['Alt F10'], does: 'Go to the selection’s toolbar' },
    ],
  },
  {
    where: 'On the people board',
    shortcuts: [
      { keys: ['Ctrl Z'], does: 'Undo the last role change' },
      { keys: ['Space'], does: 'Pick up the card with the focused handle, or drop it' },
      { keys: ['←'], or: ['→', '↑', '↓'], does: 'Move the card to another role' },
      { keys: ['Esc'], does: 'Cancel the move' },
    ],
  },
  {
    where: 'In the theme editor',
    shortcuts: [
      { keys: ['Ctrl Z'], does: 'Undo' },
      { keys: ['Ctrl Shift Z'], does: 'Redo' },
    ],
  },
]
