import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readSettings } from '#server/settings/settings.ts'
import { createMailer } from './mailer.ts'

const mail = { to: 'ada@willowbrook.example', subject: 'Hello', text: 'A letter.' }

test.each([
  ['never greets', ''],
  ['falls silent after its greeting', '220 mailbox\r\n'],
])('a mail server that %s fails the email instead of blocking the sender', async (_, greeting) => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => socket.destroy()))
    if (greeting) socket.write(greeting)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  const mailer = createMailer(readSettings({ SMTP_URL: `smtp://127.0.0.1:${port}` }), 50)
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  for (const socket of sockets) socket.destroy()
  await new Promise((closed) => server.close(closed))
})
