import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { copyText } from './copy-text.ts'
import { IconButton } from './icon-button.tsx'

export interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'busy' | 'busyLabel'> {
  text: string | (() => string | Promise<string>)
  /** Without children it is an icon with this name. */
  label?: string
  copiedLabel?: string
  staysMilliseconds?: number
  onCopyFailed?: (reason: unknown) => void
}

export function CopyButton({
  text,
  label = 'Copy',
  copiedLabel = 'Copied',
  staysMilliseconds = 2000,
  onCopyFailed,
  children,
  icon,
  size = 'small',
  ...rest
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), staysMilliseconds)
    return () => clearTimeout(timer)
  }, [copied, staysMilliseconds])

  async function copy() {
    try {
      await copyText(typeof text === 'function' ? await text() : text)
      setCopied(true)
    } catch (reason) {
      onCopyFailed?.(reason)
    }
  }

  const glyph: ReactNode = copied ? (
    <Check aria-hidden size={14} className="text-success" />
  ) : icon === undefined ? (
    <Copy aria-hidden size={14} />
  ) : (
    icon
  )
  return (
    <>
      {children === undefined ? (
        <IconButton label={copied ? copiedLabel : label} size="small" onClick={copy} className={rest.className}>
          {glyph}
        </IconButton>
      ) : (
        <Button {...rest} size={size} onClick={copy} icon={glyph}>
          {copied ? copiedLabel : children}
        </Button>
      )}
      <span role="status" className="sr-only">
        {copied ? copiedLabel : ''}
      </span>
    </>
  )
}
