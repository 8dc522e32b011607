import { Check, Hand, Minus, X } from 'lucide-react'

/** How a tool's call is marked once it is not simply under way. */
export const toolMarks = {
  asks: { Icon: Hand, look: 'text-warning', word: 'asks you' },
  done: { Icon: Check, look: 'text-success', word: 'done' },
  failed: { Icon: X, look: 'text-destructive', word: 'failed' },
  refused: { Icon: Minus, look: 'text-muted-foreground', word: 'not allowed' },
} as const
