const { HOLDLINE_URL, TOKEN } = process.env;
const headers = { authorization: `Bearer ${TOKEN}` };
const { body } = await fetch(`${HOLDLINE_URL}/events?kind=processing_state_changed`, { headers });
let text = '';
for await (const part of body.pipeThrough(new TextDecoderStream())) {
  const events = (text + part).split('\n\n');
  text = events.pop();
  for (const [, json] of events.join('\n').matchAll(/^data: (.*)$/gm)) {
    const { scope, new_state, by } = JSON.parse(json).params;
    console.log('%s: %s by %s', scope.contact_id, new_state.state, by);
  }
}
