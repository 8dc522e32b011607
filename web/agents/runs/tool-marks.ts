import { Check, Hand, Minus, X } from 'lucide-react'

export const toolMarks = {
  asks: { Icon: Hand, classes: 'text-warning', label: 'needs approval' },
  done: { Icon: Check, classes: 'text-success', label: 'done' },
  failed: { Icon: X, classes: 'text-destructive', label: 'failed' },
  refused: { Icon: Minus, classes: 'text-muted-foreground', label: 'not allowed' },
} as const
