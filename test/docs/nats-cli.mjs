import { connect, headers } from '@nats-io/transport-node';

/**
 * As much of the `nats` command as the README uses, so that its commands can be run where the real one is missing:
 * `pub <subject> <body>`, `req [--raw] [-H name:value] <subject> <body>`, `sub <subject>`. The server is NATS_URL.
 */
const [command, ...rest] = process.argv.slice(2);
const fields = headers();
const words = [];
while (rest.length > 0) {
  const word = rest.shift();
  if (word === '-H') {
    const [name, ...value] = rest.shift().split(':');
    fields.set(name, value.join(':'));
  } else if (word !== '--raw') words.push(word);
}
const [subject, body] = words;
// The real command would take this for the beginning of a template.
if (body?.includes('{{')) throw new Error('the body holds {{');

const nc = await connect({ servers: process.env.NATS_URL });
const print = (text) => process.stdout.write(`${text}\n`);

switch (command) {
  case 'pub':
    nc.publish(subject, body, { headers: fields });
    await nc.flush();
    break;
  case 'req':
    print((await nc.request(subject, body, { headers: fields, timeout: 10_000 })).string());
    break;
  case 'sub': {
    const messages = nc.subscribe(subject);
    await nc.flush();
    print(`Subscribing on ${subject}`);
    for await (const message of messages) print(message.string());
    break;
  }
  default:
    throw new Error(`there is no command ${command}`);
}
await nc.close();
