import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

interface StrictMailServerOptions {
  user: string
  password: string
  /** Refuses other senders; Postfix does so only at RCPT TO, Exchange only after the text. */
  refuseAt?: 'MAIL FROM' | 'RCPT TO' | 'DATA'
  answer?: { code: number; text: string }
}

export interface StrictMailServer {
  port: number
  /** `MAIL FROM` of every accepted email, and its text as it arrived. */
  accepted: { from: string; to: string[]; source: string }[]
  refusalCount: number
  close(): Promise<void>
}

/** A mail server that lets its one user send only as that user, like most providers. */
export async function startStrictMailServer({
  user,
  password,
  refuseAt = 'MAIL FROM',
  answer = { code: 553, text: 'sender address must match the signed-in user' },
}: StrictMailServerOptions): Promise<StrictMailServer> {
  const mailServer: StrictMailServer = { port: 0, accepted: [], refusalCount: 0, close: async () => {} }
  const refuse = (address: string | undefined, step: string) => {
    if (address === user || step !== refuseAt) return null
    mailServer.refusalCount += 1
    return Object.assign(new Error(answer.text), { responseCode: answer.code })
  }
  const getSender = ({ envelope }: SMTPServerSession) => (envelope.mailFrom ? envelope.mailFrom.address : undefined)
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password: sentPassword }, _, done) {
      if (username === user && sentPassword === password) done(null, { user })
      else done(Object.assign(new Error('5.7.8 Authentication failed'), { responseCode: 535 }))
    },
    onMailFrom: ({ address }, _, done) => done(refuse(address, 'MAIL FROM')),
    onRcptTo: (_, session, done) => done(refuse(getSender(session), 'RCPT TO')),
    onData(stream, session, done) {
      let source = ''
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        source += chunk
      })
      stream.on('end', () => {
        const refusal = refuse(getSender(session), 'DATA')
        const to = session.envelope.rcptTo.map(({ address }) => address)
        if (!refusal) mailServer.accepted.push({ from: getSender(session) ?? '', to, source })
        done(refusal)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  mailServer.port = (server.server.address() as AddressInfo).port
  mailServer.close = () => new Promise((resolve) => server.close(() => resolve()))
  return mailServer
}
