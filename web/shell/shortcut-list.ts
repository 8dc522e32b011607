export interface ListedShortcut {
  /** One after the other: `G`, then `A`. Alternatives are `or`. */
  keys: string[]
  or?: string[]
  does: string
}

export interface ShortcutGroup {
  where: string
  shortcuts: ListedShortcut[]
}

/**
 * What pages do at a key, by where it holds: for the sheet that `?` opens. What has the focus may do more: a menu, a list
 * that is put in order, the pages of a PDF.
 */
export const shortcutGroups: ShortcutGroup[] = [
  {
    where: 'Everywhere',
    shortcuts: [
      { keys: ['Ctrl K'], does: 'Search or jump to' },
      { keys: ['?'], does: 'This list' },
      { keys: ['M'], does: 'Catch a moment' },
      { keys: ['N'], does: 'Something new in this list' },
      { keys: ['/'], does: 'Search on this page' },
      { keys: ['G', 'R'], does: 'Go to Root Dashboard' },
      { keys: ['G', 'K'], does: 'Go to All Keepers' },
      { keys: ['G', 'A'], does: 'Go to Manage Agents' },
      { keys: ['G', 'B'], does: 'Go to Board Studio' },
      { keys: ['G', 'L'], does: 'Go to Documents' },
      { keys: ['Alt 1'], does: 'Architect mode' },
      { keys: ['Alt 2'], does: 'My Keeper mode' },
      { keys: ['Alt 3'], does: 'Admin mode' },
      { keys: ['['], does: 'Fold or open the sidebar' },
      { keys: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    where: 'In lists',
    shortcuts: [
      { keys: ['J'], does: 'Next in the list' },
      { keys: ['K'], does: 'Previous in the list' },
      { keys: ['↵'], does: 'Open what is in focus' },
      { keys: ['E'], does: 'Edit what is in focus' },
      { keys: ['R'], does: 'Run the agent in focus' },
    ],
  },
  {
    where: 'On the dashboard of a keeper',
    shortcuts: [{ keys: ['C'], or: ['M'], does: 'Write in the box for a moment' }],
  },
  {
    where: 'Under Moments',
    shortcuts: [
      { keys: ['C'], or: ['M'], does: 'Write in the box for a moment' },
      { keys: ['['], does: 'A day back' },
      { keys: [']'], does: 'A day on' },
    ],
  },
  { where: 'While writing', shortcuts: [{ keys: ['Ctrl ↵'], does: 'Save' }] },
  {
    where: 'In a chat',
    shortcuts: [
      { keys: ['↵'], does: 'Send' },
      { keys: ['Shift ↵'], does: 'A new line' },
      { keys: ['Esc'], does: 'Leave a question unchanged' },
    ],
  },
  {
    where: 'On a board',
    shortcuts: [
      { keys: ['Ctrl S'], does: 'Save' },
      { keys: ['Ctrl Z'], does: 'Undo' },
      { keys: ['Ctrl Shift Z'], or: ['Ctrl Y'], does: 'Redo' },
      { keys: ['Tab'], does: 'Next frame' },
      { keys: ['↵'], does: 'Into the frame' },
      { keys: ['Esc'], does: 'Out of the frame, or select nothing' },
      { keys: ['Shift ↵'], does: 'Add the frame to what is selected' },
      { keys: ['Ctrl A'], does: 'Select all' },
      { keys: ['←'], or: ['→', '↑', '↓'], does: 'Move; with Shift further. Nothing selected: the view' },
      { keys: ['Alt ←'], or: ['→', '↑', '↓'], does: 'Make larger or smaller' },
      { keys: ['Ctrl D'], does: 'Duplicate' },
      { keys: ['Delete'], does: 'Remove' },
      { keys: ['Ctrl ]'], does: 'To the front' },
      { keys: ['Ctrl ['], does: 'To the back' },
      { keys: ['Ctrl +'], or: ['Ctrl -'], does: 'Larger or smaller view' },
      { keys: ['Ctrl 0'], does: 'View at its own size' },
      { keys: ['Shift 1'], does: 'Show everything' },
      { keys: ['V'], or: ['H', 'F', 'T'], does: 'Tools: select, hand, frame, text' },
      { keys: ['Alt F10'], does: 'To the bar of what is selected' },
    ],
  },
  {
    where: 'On the people board',
    shortcuts: [
      { keys: ['Ctrl Z'], does: 'Take the last change of a role back' },
      { keys: ['Space'], does: 'Take the card whose handle is in focus, or put it down' },
      { keys: ['←'], or: ['→', '↑', '↓'], does: 'Carry it to another role' },
      { keys: ['Esc'], does: 'Put it back' },
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
