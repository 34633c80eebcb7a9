/* In a worker of the odds explorer: the programs, then questions about them -> an answer to each, in their
   order. */
(() => {
  "use strict";

  let programs = {};
  addEventListener("message", ({ data }) => {
    if (data.programs) ({ programs } = data);
    else
      postMessage({
        key: data.key,
        answer: exact.answer(programs[data.set], data.procedure, data.inputs, data.results),
      });
  });
})();
