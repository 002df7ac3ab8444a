/** The browser half: the platform hands over what its own plugins are made of, and gets a plugin. */

export default function plugin({ ParameterType, TimedPlugin, TRIAL_DATA, onsetData, clock, element }) {
  const WORDS = {
    en: { sense: "Makes sense", nonsense: "Makes no sense" },
    de: { sense: "Ergibt Sinn", nonsense: "Ergibt keinen Sinn" },
  };

  return class SampleJudgement extends TimedPlugin {
    static info = {
      name: "sample-judgement",
      version: "1.0",
      parameters: {
        text: { type: ParameterType.STRING, default: undefined },
        language: { type: ParameterType.STRING, default: "en" },
      },
      data: TRIAL_DATA,
    };

    async trial(display, trial, onLoad) {
      const words = WORDS[trial.language] ?? WORDS.en;
      const stimulus = element("p", { class: "stimulus" }, trial.text);
      const buttons = ["sense", "nonsense"].map((judgement) => {
        const button = element("button", { type: "button" }, words[judgement]);
        button.dataset.judgement = judgement;
        return button;
      });
      const page = element("section", { class: "sheet" }, stimulus, element("div", { class: "actions" }, ...buttons));
      const showing = await clock.show({ draw: () => display.replaceChildren(page), stimulus });
      onLoad?.();
      this.answerIfSimulated(() => buttons[0].click());
      const { judgement, time } = await new Promise((resolve) => {
        for (const button of buttons) {
          button.addEventListener("click", (event) =>
            resolve({ judgement: button.dataset.judgement, time: event.timeStamp }),
          );
        }
      });
      const onset = await showing.onset({ before: time });
      return { payload: { judgement }, rt_ms: time - onset.time, ...onsetData(onset) };
    }

    simulatedData() {
      return { payload: { judgement: "sense" }, rt_ms: 1000 };
    }
  };
}
