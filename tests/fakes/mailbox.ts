import { createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  from: string
  to: string[]
  subject: string
  text: string
}

export interface Mailbox {
  /** `smtp://…`, the format of SMTP_URL. */
  url: string
  mails: ReceivedMail[]
  /** Waits for the newest email to this address. */
  waitForMail(address: string): Promise<ReceivedMail>
  close(): Promise<void>
}

interface MailboxOptions {
  port?: number
  onMail?: (mail: ReceivedMail) => void
}

/** A mail server that accepts and stores everything and relays nothing. */
export async function startMailbox({ port = 0, onMail }: MailboxOptions = {}): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    handleSmtpSession(socket, (mail) => {
      mails.push(mail)
      onMail?.(mail)
    })
  })
  await new Promise<void>((ready, failed) => server.once('error', failed).listen(port, '127.0.0.1', ready))
  const address = server.address()
  const actualPort = address && typeof address === 'object' ? address.port : port
  return {
    url: `smtp://127.0.0.1:${actualPort}`,
    mails,
    async waitForMail(recipient) {
      for (let attempts = 0; attempts < 200; attempts++) {
        const mail = mails.findLast(({ to }) => to.includes(recipient))
        if (mail) return mail
        await new Promise((later) => setTimeout(later, 25))
      }
      throw new Error(`No email arrived for ${recipient}`)
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

function handleSmtpSession(socket: Socket, deliver: (mail: ReceivedMail) => void) {
  let from = ''
  let to: string[] = []
  let buffer = ''
  let isReceivingText = false
  const reply = (line: string) => socket.write(`${line}\r\n`)
  reply('220 mailbox')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    buffer += chunk
    while (true) {
      const terminator = isReceivingText ? '\r\n.\r\n' : '\r\n'
      const end = buffer.indexOf(terminator)
      if (end < 0) return
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + terminator.length)
      if (isReceivingText) {
        deliver({ from, to, ...readMessage(line) })
        isReceivingText = false
        to = []
        reply('250 accepted')
        continue
      }
      const address = line.match(/<(.*?)>/)?.[1] ?? ''
      if (/^EHLO/i.test(line)) reply('250-mailbox\r\n250 8BITMIME')
      else if (/^MAIL FROM/i.test(line)) {
        from = address
        reply('250 ok')
      } else if (/^RCPT TO/i.test(line)) {
        to.push(address)
        reply('250 ok')
      } else if (/^DATA/i.test(line)) {
        isReceivingText = true
        reply('354 go on')
      } else if (/^QUIT/i.test(line)) {
        reply('221 bye')
        socket.end()
      } else reply('250 ok')
    }
  })
}

function readMessage(message: string): { subject: string; text: string } {
  const [head = '', ...body] = message.split('\r\n\r\n')
  const getHeader = (name: string) =>
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  const text = decode(body.join('\r\n\r\n').replace(/^\.\./gm, '.'), getHeader('content-transfer-encoding'))
  return { subject: decodeEncodedWords(getHeader('subject')), text: text.replaceAll('\r\n', '\n').trim() }
}

function decode(text: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(text, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(encoding)) return text
  return decodeHex(text.replace(/=\r\n/g, ''))
}

/** Encoded words of RFC 2047: `=?UTF-8?Q?caf=C3=A9?=`. */
function decodeEncodedWords(header: string): string {
  return header.replace(/=\?utf-8\?([QB])\?(.*?)\?=\s*/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString('utf8') : decodeHex(text.replaceAll('_', ' ')),
  )
}

function decodeHex(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
