import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { startMailbox } from './mailbox.ts'

test('the mailbox receives mail exactly as it was sent', async () => {
  const mailbox = await startMailbox()
  const text = `Grüße aus Bergen.\n.\n..\n${'a long line, longer than mail allows '.repeat(5)}\nhttp://127.0.0.1/login?reset=kpr_a=b`
  const transport = createTransport(mailbox.url)
  await transport.sendMail({ from: 'keeper@localhost', to: 'ada@willowbrook.example', subject: 'Ein Weg zurück', text })
  await transport.sendMail({
    from: 'keeper@localhost',
    to: 'ben@willowbrook.example',
    subject: 'Plain',
    text: '日本語',
  })
  transport.close()
  expect(await mailbox.waitForMail('ada@willowbrook.example')).toMatchObject({ subject: 'Ein Weg zurück', text })
  expect(await mailbox.waitForMail('ben@willowbrook.example')).toMatchObject({ subject: 'Plain', text: '日本語' })
  await mailbox.close()
})
