export interface ListedShortcut {
  keys: string[]
  alternatives?: string[]
  description: string
}

export interface ShortcutGroup {
  title: string
  shortcuts: ListedShortcut[]
}

/** Shown in the sheet that `?` opens, grouped by where they apply. Focused widgets may handle more keys. */
export const shortcutGroups: ShortcutGroup[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: ['Ctrl K'], description: 'Search or jump to' },
      { keys: ['?'], description: 'This list' },
      { keys: ['M'], description: 'Catch a moment' },
      { keys: ['N'], description: 'New item in this list' },
      { keys: ['/'], description: 'Search on this page' },
      { keys: ['G', 'R'], description: 'Go to Root Dashboard' },
      { keys: ['G', 'K'], description: 'Go to All Keepers' },
      { keys: ['G', 'A'], description: 'Go to Manage Agents' },
      { keys: ['G', 'B'], description: 'Go to Board Studio' },
      { keys: ['G', 'L'], description: 'Go to Documents' },
      { keys: ['Alt 1'], description: 'Architect mode' },
      { keys: ['Alt 2'], description: 'My Keeper mode' },
      { keys: ['Alt 3'], description: 'Admin mode' },
      { keys: ['['], description: 'Collapse or expand the sidebar' },
      { keys: ['Esc'], description: 'Close the open dialog or menu' },
    ],
  },
  {
    title: 'In lists',
    shortcuts: [
      { keys: ['J'], description: 'Next item' },
      { keys: ['K'], description: 'Previous item' },
      { keys: ['↵'], description: 'Open the focused item' },
      { keys: ['E'], description: 'Edit the focused item' },
      { keys: ['R'], description: 'Run the focused agent' },
    ],
  },
  {
    title: 'On a keeper’s dashboard',
    shortcuts: [{ keys: ['C'], alternatives: ['M'], description: 'Write a moment' }],
  },
  {
    title: 'In Moments',
    shortcuts: [
      { keys: ['C'], alternatives: ['M'], description: 'Write a moment' },
      { keys: ['['], description: 'Previous day' },
      { keys: [']'], description: 'Next day' },
    ],
  },
  {
    title: 'In Suggested Promotions',
    shortcuts: [
      { keys: ['P'], description: 'Keep the focused reflection' },
      { keys: ['R'], description: 'Let it rest' },
      { keys: ['U'], description: 'Undo while it counts down' },
    ],
  },
  { title: 'While writing', shortcuts: [{ keys: ['Ctrl ↵'], description: 'Save' }] },
  {
    title: 'In a chat',
    shortcuts: [
      { keys: ['↵'], description: 'Send' },
      { keys: ['Shift ↵'], description: 'A new line' },
      { keys: ['Esc'], description: 'Cancel editing a question' },
    ],
  },
  {
    title: 'On a board',
    shortcuts: [
      { keys: ['Ctrl S'], description: 'Save' },
      { keys: ['Ctrl Z'], description: 'Undo' },
      { keys: ['Ctrl Shift Z'], alternatives: ['Ctrl Y'], description: 'Redo' },
      { keys: ['Tab'], description: 'Next frame' },
      { keys: ['↵'], description: 'Enter the frame' },
      { keys: ['Esc'], description: 'Leave the frame, or clear the selection' },
      { keys: ['Shift ↵'], description: 'Add the frame to the selection' },
      { keys: ['Ctrl A'], description: 'Select all' },
      {
        keys: ['←'],
        alternatives: ['→', '↑', '↓'],
        description: 'Move, or hold Shift to move farther. With nothing selected, pan the view',
      },
      { keys: ['Alt ←'], alternatives: ['→', '↑', '↓'], description: 'Make larger or smaller' },
      { keys: ['Ctrl D'], description: 'Duplicate' },
      { keys: ['Delete'], description: 'Remove' },
      { keys: ['Ctrl ]'], description: 'Bring to front' },
      { keys: ['Ctrl ['], description: 'Send to back' },
      { keys: ['Ctrl +'], alternatives: ['Ctrl -'], description: 'Zoom in or out' },
      { keys: ['Ctrl 0'], description: 'Zoom to 100%' },
      { keys: ['Shift 1'], description: 'Show everything' },
      { keys: ['V'], alternatives: ['H', 'F', 'T'], description: 'Tools: select, hand, frame, text' },
      { keys: ['Alt F10'], description: 'Go to the selection’s toolbar' },
    ],
  },
  {
    title: 'On the people board',
    shortcuts: [
      { keys: ['Ctrl Z'], description: 'Undo the last role change' },
      { keys: ['Space'], description: 'Pick up the card with the focused handle, or drop it' },
      { keys: ['←'], alternatives: ['→', '↑', '↓'], description: 'Move the card to another role' },
      { keys: ['Esc'], description: 'Cancel the move' },
    ],
  },
  {
    title: 'In the theme editor',
    shortcuts: [
      { keys: ['Ctrl Z'], description: 'Undo' },
      { keys: ['Ctrl Shift Z'], description: 'Redo' },
    ],
  },
]
