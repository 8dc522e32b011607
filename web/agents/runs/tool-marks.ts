import { Check, Hand, Minus, X } from 'lucide-react'

export const toolMarks = {
  asks: { Icon: Hand, look: 'text-warning', word: 'needs approval' },
  done: { Icon: Check, look: 'text-success', word: 'done' },
  failed: { Icon: X, look: 'text-destructive', word: 'failed' },
  refused: { Icon: Minus, look: 'text-muted-foreground', word: 'not allowed' },
} as const
